! MPI_THREAD_FUNNELED: only the thread that initialised MPI may call it, and any thread may get a single or a section.
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
  call mpi_allreduce(own, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error) ! FINDING(mpi-threads)
  !$omp end single
  !$omp single
  own = all
  !$omp end single nowait
  !$omp end parallel
  call mpi_barrier(MPI_COMM_WORLD, error)
  call mpi_finalize(error)
end program
