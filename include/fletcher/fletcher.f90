! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Fletcher's annotations for Fortran: fletcher.h says what each means. Compile this file with the program and say
! `use fletcher`. Without Fletcher in the process every routine returns at once, and nothing is to be linked: the entry points
! are looked up when they are first needed.
module fletcher
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: fletcher_is_checking, fletcher_happens_before, fletcher_happens_after, fletcher_new_memory, &
            fletcher_benign_race, fletcher_ignore_begin, fletcher_ignore_end, fletcher_lock_acquired, fletcher_lock_releasing, &
            fletcher_reads, fletcher_writes, fletcher_reads_pieces, fletcher_writes_pieces

  abstract interface
    subroutine plain() bind(c)
    end subroutine plain
    function question() bind(c) result(answer)
      import :: c_int
      integer(c_int) :: answer
    end function question
    subroutine of_object(object) bind(c)
      type(*), intent(in) :: object
    end subroutine of_object
    subroutine of_memory(memory, bytes) bind(c)
      import :: c_size_t
      type(*), intent(in) :: memory
      integer(c_size_t), value :: bytes
    end subroutine of_memory
    subroutine of_pieces(memory, bytes, step, count) bind(c)
      import :: c_size_t
      type(*), intent(in) :: memory
      integer(c_size_t), value :: bytes, step, count
    end subroutine of_pieces
    subroutine of_memory_why(memory, bytes, why) bind(c)
      import :: c_size_t, c_char
      type(*), intent(in) :: memory
      integer(c_size_t), value :: bytes
      character(kind=c_char), intent(in) :: why(*)
    end subroutine of_memory_why
  end interface

  interface
    function dlsym(handle, name) bind(c, name='dlsym') result(entry_point)
      import :: c_ptr, c_funptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: entry_point
    end function dlsym
  end interface

contains

  !> The entry point of that name, a null pointer where Fletcher is not in the process.
  function found(name) result(entry_point)
    character(*), intent(in) :: name
    type(c_funptr) :: entry_point
    entry_point = dlsym(c_null_ptr, name // c_null_char)
  end function found

  !> True where the accesses of the calling thread are checked at this moment.
  logical function fletcher_is_checking()
    type(c_funptr) :: entry_point
    procedure(question), pointer :: call
    fletcher_is_checking = .false.
    entry_point = found('fletcher_is_checking')
    if (.not. c_associated(entry_point)) return
    call c_f_procpointer(entry_point, call)
    fletcher_is_checking = call() /= 0
  end function fletcher_is_checking

  !> Of an array, pass an element: fletcher_happens_before(a(1)).
  subroutine fletcher_happens_before(object)
    type(*), intent(in) :: object
    call tell_object('fletcher_happens_before', object)
  end subroutine fletcher_happens_before

  subroutine fletcher_happens_after(object)
    type(*), intent(in) :: object
    call tell_object('fletcher_happens_after', object)
  end subroutine fletcher_happens_after

  subroutine fletcher_lock_acquired(lock)
    type(*), intent(in) :: lock
    call tell_object('fletcher_lock_acquired', lock)
  end subroutine fletcher_lock_acquired

  subroutine fletcher_lock_releasing(lock)
    type(*), intent(in) :: lock
    call tell_object('fletcher_lock_releasing', lock)
  end subroutine fletcher_lock_releasing

  subroutine fletcher_new_memory(memory, bytes)
    type(*), intent(in) :: memory
    integer(c_size_t), intent(in) :: bytes
    call tell_memory('fletcher_new_memory', memory, bytes)
  end subroutine fletcher_new_memory

  subroutine fletcher_reads(memory, bytes)
    type(*), intent(in) :: memory
    integer(c_size_t), intent(in) :: bytes
    call tell_memory('fletcher_reads', memory, bytes)
  end subroutine fletcher_reads

  subroutine fletcher_writes(memory, bytes)
    type(*), intent(in) :: memory
    integer(c_size_t), intent(in) :: bytes
    call tell_memory('fletcher_writes', memory, bytes)
  end subroutine fletcher_writes

  !> `count` pieces, each `step` bytes after the one before: the columns of a matrix.
  subroutine fletcher_reads_pieces(memory, bytes, step, count)
    type(*), intent(in) :: memory
    integer(c_size_t), intent(in) :: bytes, step, count
    call tell_pieces('fletcher_reads_pieces', memory, bytes, step, count)
  end subroutine fletcher_reads_pieces

  subroutine fletcher_writes_pieces(memory, bytes, step, count)
    type(*), intent(in) :: memory
    integer(c_size_t), intent(in) :: bytes, step, count
    call tell_pieces('fletcher_writes_pieces', memory, bytes, step, count)
  end subroutine fletcher_writes_pieces

  subroutine fletcher_benign_race(memory, bytes, why)
    type(*), intent(in) :: memory
    integer(c_size_t), intent(in) :: bytes
    character(*), intent(in) :: why
    type(c_funptr) :: entry_point
    procedure(of_memory_why), pointer :: tell
    entry_point = found('fletcher_benign_race')
    if (.not. c_associated(entry_point)) return
    call c_f_procpointer(entry_point, tell)
    call tell(memory, bytes, why // c_null_char)
  end subroutine fletcher_benign_race

  subroutine fletcher_ignore_begin()
    call tell_plain('fletcher_ignore_begin')
  end subroutine fletcher_ignore_begin

  subroutine fletcher_ignore_end()
    call tell_plain('fletcher_ignore_end')
  end subroutine fletcher_ignore_end

  subroutine tell_object(name, object)
    character(*), intent(in) :: name
    type(*), intent(in) :: object
    type(c_funptr) :: entry_point
    procedure(of_object), pointer :: tell
    entry_point = found(name)
    if (.not. c_associated(entry_point)) return
    call c_f_procpointer(entry_point, tell)
    call tell(object)
  end subroutine tell_object

  subroutine tell_memory(name, memory, bytes)
    character(*), intent(in) :: name
    type(*), intent(in) :: memory
    integer(c_size_t), intent(in) :: bytes
    type(c_funptr) :: entry_point
    procedure(of_memory), pointer :: tell
    entry_point = found(name)
    if (.not. c_associated(entry_point)) return
    call c_f_procpointer(entry_point, tell)
    call tell(memory, bytes)
  end subroutine tell_memory

  subroutine tell_pieces(name, memory, bytes, step, count)
    character(*), intent(in) :: name
    type(*), intent(in) :: memory
    integer(c_size_t), intent(in) :: bytes, step, count
    type(c_funptr) :: entry_point
    procedure(of_pieces), pointer :: tell
    entry_point = found(name)
    if (.not. c_associated(entry_point)) return
    call c_f_procpointer(entry_point, tell)
    call tell(memory, bytes, step, count)
  end subroutine tell_pieces

  subroutine tell_plain(name)
    character(*), intent(in) :: name
    type(c_funptr) :: entry_point
    procedure(plain), pointer :: tell
    entry_point = found(name)
    if (.not. c_associated(entry_point)) return
    call c_f_procpointer(entry_point, tell)
    call tell()
  end subroutine tell_plain

end module fletcher
