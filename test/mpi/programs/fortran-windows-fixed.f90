! One-sided operations, probes, and communicators, from Fortran, as they should be.
! threads: 2
program fortran_windows_fixed
  use mpi
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: many = 64
  integer :: error, rank, other, given, window, me, status(MPI_STATUS_SIZE), made(2)
  integer(kind=MPI_ADDRESS_KIND) :: size, place
  type(c_ptr) :: base
  real(8), save, target :: put(many), got(many), part(4, 2)

  call mpi_init_thread(MPI_THREAD_MULTIPLE, given, error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  other = 1 - rank
  size = 8 * 2 * many
  place = 0
  call mpi_win_allocate(size, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, window, error)
  call mpi_win_fence(0, window, error)
  call mpi_put(put, many, MPI_DOUBLE_PRECISION, other, place, many, MPI_DOUBLE_PRECISION, window, error)
  call mpi_win_fence(0, window, error)
  put(3) = 1
  call mpi_win_fence(MPI_MODE_NOSUCCEED, window, error)
  call mpi_win_lock(MPI_LOCK_SHARED, other, 0, window, error)
  call mpi_get(got, many, MPI_DOUBLE_PRECISION, other, place, many, MPI_DOUBLE_PRECISION, window, error)
  call mpi_win_unlock(other, window, error)
  put(1) = got(5)
  call mpi_win_free(window, error)

  call mpi_send(put, 4, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, error)
  call mpi_send(put, 4, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, error)
  !$omp parallel num_threads(2) private(me, status, error)
  me = omp_get_thread_num() + 1
  !$omp critical
  call mpi_probe(other, 1, MPI_COMM_WORLD, status, error)
  call mpi_recv(part(1, me), 4, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, status, error)
  !$omp end critical
  !$omp end parallel

  !$omp parallel num_threads(2) private(me)
  !$omp do ordered private(error)
  do me = 1, 2
    !$omp ordered
    call mpi_comm_dup(MPI_COMM_WORLD, made(me), error)
    !$omp end ordered
  end do
  !$omp end parallel
  call mpi_finalize(error)
end program
