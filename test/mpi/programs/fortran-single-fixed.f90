! MPI_THREAD_FUNNELED: only the thread that initialised MPI calls it, in masked constructs, also behind a single with
! nowait.
! threads: 2
program fortran_single
  use mpi
  implicit none
  integer :: error, rank, given, own, all
  call mpi_init_thread(MPI_THREAD_FUNNELED, given, error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  own = rank
  !$omp parallel
  !$omp single
  own = own + 1
  !$omp end single nowait
  !$omp barrier
  !$omp master
  call mpi_allreduce(own, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  !$omp end master
  !$omp barrier
  !$omp single
  own = all
  !$omp end single nowait
  !$omp master
  call mpi_barrier(MPI_COMM_WORLD, error)
  !$omp end master
  !$omp end parallel
  call mpi_barrier(MPI_COMM_WORLD, error)
  call mpi_finalize(error)
end program
