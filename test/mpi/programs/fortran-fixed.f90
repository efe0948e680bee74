! Pending operations, blocking calls and constants, from Fortran.
! threads: 2
program fortran_fixed
  use mpi
  use omp_lib
  implicit none
  integer, parameter :: many = 64
  integer :: error, rank, other, requests(2), given
  real(8), save, target :: halo(many), inner(many), sums(many)
  real(8) :: seen

  call mpi_init_thread(MPI_THREAD_MULTIPLE, given, error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  other = 1 - rank
  inner = 1
  call mpi_irecv(halo, many, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), error)
  call mpi_isend(inner, many, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(2), error)
  call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, error)
  seen = halo(3)
  inner(4) = seen

  call mpi_iallreduce(MPI_IN_PLACE, sums, many, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1), error)
  call mpi_wait(requests(1), MPI_STATUS_IGNORE, error)
  sums(1) = 0

  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) then
    call mpi_allreduce(inner, sums, many, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  else
    seen = inner(2)
  end if
  !$omp end parallel
  call mpi_finalize(error)
end program
