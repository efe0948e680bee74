! The module mpi_f08: as f08-racy.f90, but what is pending is left alone.
! threads: 2
program f08_fixed
  use mpi_f08
  use omp_lib
  implicit none
  integer, parameter :: many = 64
  integer :: rank, other, given, error
  type(MPI_Request) :: requests(2), again
  type(MPI_Status) :: status
  real(8), save, target :: halo(many), inner(many), sums(many), kept(many)
  real(8) :: seen

  call mpi_init_thread(MPI_THREAD_MULTIPLE, given)
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  other = 1 - rank
  inner = 1
  call mpi_irecv(halo, many, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1))
  call mpi_isend(inner, many, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(2), error)
  call mpi_waitall(2, requests, MPI_STATUSES_IGNORE)
  seen = halo(3)
  inner(4) = seen

  call mpi_iallreduce(MPI_IN_PLACE, sums, many, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1))
  call mpi_wait(requests(1), status)
  sums(1) = 0

  call mpi_recv_init(kept, many, MPI_DOUBLE_PRECISION, rank, 2, MPI_COMM_WORLD, again)
  call mpi_start(again)
  call mpi_send(inner, many, MPI_DOUBLE_PRECISION, rank, 2, MPI_COMM_WORLD)
  call mpi_wait(again, MPI_STATUS_IGNORE)
  kept(2) = 1
  call mpi_request_free(again)

  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) then
    call mpi_sendrecv(inner, many, MPI_DOUBLE_PRECISION, other, 3, halo, many, MPI_DOUBLE_PRECISION, other, 3, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  else
    sums(2) = 1
  end if
  !$omp barrier
  !$omp masked
  call mpi_barrier(MPI_COMM_WORLD)
  !$omp end masked
  !$omp end parallel
  call mpi_finalize()
end program
