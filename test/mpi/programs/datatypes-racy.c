// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations access the parts of a buffer that their datatype has, and no gaps.
// threads: 1
#include <mpi.h>
#include <stddef.h>

enum { rows = 16, columns = 8 };
struct particle {
  double place[3];
  int kind;
  float charge;
};
static double field[rows][columns], block[rows][columns];
static struct particle particles[4];
static int picked[32];
static char packed[256];

int main(int count, char** arguments) {
  int rank;
  MPI_Request requests[4];
  MPI_Datatype column, part, particle, some, resized;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;

  MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Irecv(&field[0][2], 1, column, other, 1, MPI_COMM_WORLD, &requests[0]); // RACE(1)
  MPI_Isend(&field[0][5], 1, column, other, 1, MPI_COMM_WORLD, &requests[1]);
  field[3][2] = 1; // RACE(1)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

  MPI_Type_create_subarray(2, (int[]){rows, columns}, (int[]){4, 3}, (int[]){2, 1}, MPI_ORDER_C, MPI_DOUBLE, &part);
  MPI_Type_commit(&part);
  MPI_Irecv(block, 1, part, other, 2, MPI_COMM_WORLD, &requests[0]); // RACE(2)
  MPI_Isend(field, 1, part, other, 2, MPI_COMM_WORLD, &requests[1]);
  block[5][3] = 1; // RACE(2)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

  MPI_Type_create_struct(2, (int[]){3, 1}, (MPI_Aint[]){0, offsetof(struct particle, charge)},
                         (MPI_Datatype[]){MPI_DOUBLE, MPI_FLOAT}, &particle);
  MPI_Type_create_resized(particle, 0, sizeof(struct particle), &resized);
  MPI_Type_commit(&resized);
  MPI_Irecv(particles, 2, resized, other, 3, MPI_COMM_WORLD, &requests[0]); // RACE(3)
  MPI_Isend(particles + 2, 2, resized, other, 3, MPI_COMM_WORLD, &requests[1]);
  particles[1].charge = 1; // RACE(3)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

  MPI_Type_indexed(2, (int[]){2, 3}, (int[]){1, 7}, MPI_INT, &some);
  MPI_Type_commit(&some);
  MPI_Irecv(picked, 1, some, other, 4, MPI_COMM_WORLD, &requests[0]); // RACE(4)
  MPI_Isend(picked + 16, 1, some, other, 4, MPI_COMM_WORLD, &requests[1]);
  picked[9] = 1; // RACE(4)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

  int position = 0;
  MPI_Irecv(picked, 1, some, other, 5, MPI_COMM_WORLD, &requests[0]); // RACE(5)
  MPI_Isend(picked + 16, 1, some, other, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Pack(picked, 1, some, packed, sizeof packed, &position, MPI_COMM_WORLD); // RACE(5)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

  MPI_Irecv(packed + 128, 20, MPI_PACKED, other, 6, MPI_COMM_WORLD, &requests[0]); // RACE(6)
  MPI_Isend(packed, position, MPI_PACKED, other, 6, MPI_COMM_WORLD, &requests[1]);
  position = 128;
  MPI_Unpack(packed, sizeof packed, &position, picked, 1, some, MPI_COMM_WORLD); // RACE(6)
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

  MPI_Type_free(&column), MPI_Type_free(&part), MPI_Type_free(&particle), MPI_Type_free(&resized), MPI_Type_free(&some);
  MPI_Finalize();
  return 0;
}
