! SPDX-License-Identifier: Apache-2.0
! swell.h in Fortran: compile this file with your own. Handles are type(c_ptr); texts given end with c_null_char, which
! c_text() adds; texts received are read with f_text(). Codes and numbers are those of swell.h.
module swell
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: swell_ok = 0, swell_stopped = 1, swell_wrong_input = 2, swell_run_failed = 3
  integer(c_int), parameter :: swell_dimensions = 1, swell_elements = 2, swell_nodes_per_element = 3, swell_fields = 4, &
                               swell_receivers = 5, swell_steps = 6, swell_order = 7
  integer(c_int), parameter :: swell_time = 1, swell_time_step = 2, swell_end = 3, swell_energy = 4

  abstract interface
    ! Not 0 stops the run.
    function swell_callback(run, data) bind(c) result(stop)
      import :: c_int, c_ptr
      type(c_ptr), value :: run, data
      integer(c_int) :: stop
    end function
  end interface

  interface
    function swell_api_version() bind(c) result(version)
      import :: c_int
      integer(c_int) :: version
    end function
    function swell_version() bind(c) result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function
    function swell_message() bind(c) result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function
    function swell_case_from_file(file, out) bind(c) result(code)
      import :: c_int, c_ptr, c_char
      character(kind=c_char), intent(in) :: file(*)
      type(c_ptr), intent(out) :: out
      integer(c_int) :: code
    end function
    ! name and folder: c_null_ptr, or c_loc of a text.
    function swell_case_from_text(text, name, folder, out) bind(c) result(code)
      import :: c_int, c_ptr, c_char
      character(kind=c_char), intent(in) :: text(*)
      type(c_ptr), value :: name, folder
      type(c_ptr), intent(out) :: out
      integer(c_int) :: code
    end function
    function swell_case_set(the_case, key, value) bind(c) result(code)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: the_case
      character(kind=c_char), intent(in) :: key(*), value(*)
      integer(c_int) :: code
    end function
    function swell_case_set_model(the_case, text) bind(c) result(code)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: the_case
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int) :: code
    end function
    subroutine swell_case_free(the_case) bind(c)
      import :: c_ptr
      type(c_ptr), value :: the_case
    end subroutine
    function swell_run_create(the_case, out) bind(c) result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: the_case
      type(c_ptr), intent(out) :: out
      integer(c_int) :: code
    end function
    subroutine swell_run_free(run) bind(c)
      import :: c_ptr
      type(c_ptr), value :: run
    end subroutine
    function swell_run_said(run) bind(c) result(text)
      import :: c_ptr
      type(c_ptr), value :: run
      type(c_ptr) :: text
    end function
    function swell_run_advance(run, time) bind(c) result(code)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: run
      real(c_double), value :: time
      integer(c_int) :: code
    end function
    function swell_run_step(run, count) bind(c) result(code)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: run
      integer(c_int64_t), value :: count
      integer(c_int) :: code
    end function
    function swell_run_finish(run) bind(c) result(code)
      import :: c_int, c_ptr
      type(c_ptr), value :: run
      integer(c_int) :: code
    end function
    ! callback: c_funloc of a swell_callback, or c_null_funptr.
    function swell_run_set_callback(run, every, callback, data) bind(c) result(code)
      import :: c_int, c_ptr, c_funptr, c_int64_t
      type(c_ptr), value :: run, data
      integer(c_int64_t), value :: every
      type(c_funptr), value :: callback
      integer(c_int) :: code
    end function
    function swell_run_count(run, what, value) bind(c) result(code)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: run
      integer(c_int), value :: what
      integer(c_int64_t), intent(out) :: value
      integer(c_int) :: code
    end function
    function swell_run_number(run, what, value) bind(c) result(code)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: run
      integer(c_int), value :: what
      real(c_double), intent(out) :: value
      integer(c_int) :: code
    end function
    function swell_run_field_name(run, number) bind(c) result(text)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: run
      integer(c_int64_t), value :: number
      type(c_ptr) :: text
    end function
    function swell_run_receiver_name(run, number) bind(c) result(text)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: run
      integer(c_int64_t), value :: number
      type(c_ptr) :: text
    end function
    ! In Fortran's order: nodes(dimension, node, element), values(node, element).
    function swell_run_read_nodes(run, nodes, length) bind(c) result(code)
      import :: c_int, c_ptr, c_double, c_size_t
      type(c_ptr), value :: run
      real(c_double), intent(out) :: nodes(*)
      integer(c_size_t), value :: length
      integer(c_int) :: code
    end function
    function swell_run_read_field(run, field, values, length) bind(c) result(code)
      import :: c_int, c_ptr, c_double, c_size_t, c_char
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: field(*)
      real(c_double), intent(out) :: values(*)
      integer(c_size_t), value :: length
      integer(c_int) :: code
    end function
    function swell_run_write_field(run, field, values, length) bind(c) result(code)
      import :: c_int, c_ptr, c_double, c_size_t, c_char
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: field(*)
      real(c_double), intent(in) :: values(*)
      integer(c_size_t), value :: length
      integer(c_int) :: code
    end function
    function swell_run_read_value(run, field, point, value) bind(c) result(code)
      import :: c_int, c_ptr, c_double, c_char
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: field(*)
      real(c_double), intent(in) :: point(*)
      real(c_double), intent(out) :: value
      integer(c_int) :: code
    end function
    function swell_run_read_errors(run, field, norms) bind(c) result(code)
      import :: c_int, c_ptr, c_double, c_char
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: field(*)
      real(c_double), intent(out) :: norms(3)
      integer(c_int) :: code
    end function
    function swell_run_signal_size(run, receiver, rows, columns) bind(c) result(code)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: run
      integer(c_int64_t), value :: receiver
      integer(c_int64_t), intent(out) :: rows, columns
      integer(c_int) :: code
    end function
    ! In Fortran's order: values(column, row).
    function swell_run_read_signal(run, receiver, values, length) bind(c) result(code)
      import :: c_int, c_ptr, c_double, c_size_t, c_int64_t
      type(c_ptr), value :: run
      integer(c_int64_t), value :: receiver
      real(c_double), intent(out) :: values(*)
      integer(c_size_t), value :: length
      integer(c_int) :: code
    end function
  end interface

contains

  pure function c_text(text) result(with_end)
    character(len=*), intent(in) :: text
    character(len=len_trim(text) + 1, kind=c_char) :: with_end
    with_end = trim(text)//c_null_char
  end function

  function f_text(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: copy
    character(kind=c_char), pointer :: letters(:)
    interface
      pure function c_strlen(string) bind(c, name="strlen") result(length)
        import :: c_ptr, c_size_t
        type(c_ptr), value, intent(in) :: string
        integer(c_size_t) :: length
      end function
    end interface
    integer :: i
    if (.not. c_associated(text)) then
      copy = ""
      return
    end if
    call c_f_pointer(text, letters, [c_strlen(text)])
    allocate (character(len=size(letters)) :: copy)
    do i = 1, size(letters)
      copy(i:i) = letters(i)
    end do
  end function
end module
