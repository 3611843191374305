! SPDX-License-Identifier: Apache-2.0
! A Fortran program that drives a run of waves and one of heat.
program use_swell
  use swell
  implicit none
  character(len=*), parameter :: nl = new_line("a")
  ! Both answers are polynomials that the elements hold: the bound is rounding.
  real(c_double), parameter :: rounding = 1e-11_c_double
  integer, save, target :: calls = 0

  call line_of_advection()
  call heat_at_rest()
  call wrong_input()
  print "(a)", "Fortran drives Swell."

contains

  subroutine claim(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print "(a)", "This does not hold: "//what//"; "//f_text(swell_message())
    error stop 1
  end subroutine

  function run_of(text) result(run)
    character(len=*), intent(in) :: text
    type(c_ptr) :: run, the_case
    call claim(swell_case_from_text(c_text(text), c_null_ptr, c_null_ptr, the_case) == swell_ok, "a case from text")
    call claim(swell_case_set(the_case, c_text("device.backend"), c_text("cpu:1")) == swell_ok, "a key")
    call claim(swell_run_create(the_case, run) == swell_ok, "a run")
    call swell_case_free(the_case)
  end function

  subroutine read_all(run, name, x, u)
    type(c_ptr), intent(in) :: run
    character(len=*), intent(in) :: name
    real(c_double), allocatable, intent(out) :: x(:, :, :), u(:, :)
    integer(c_int64_t) :: dim, nodes, elements
    call claim(swell_run_count(run, swell_dimensions, dim) == swell_ok, "dimensions")
    call claim(swell_run_count(run, swell_nodes_per_element, nodes) == swell_ok, "nodes")
    call claim(swell_run_count(run, swell_elements, elements) == swell_ok, "elements")
    allocate (x(dim, nodes, elements), u(nodes, elements))
    call claim(swell_run_read_nodes(run, x, size(x, kind=c_size_t)) == swell_ok, "places")
    call claim(swell_run_read_field(run, c_text(name), u, size(u, kind=c_size_t)) == swell_ok, "values")
  end subroutine

  subroutine line_of_advection()
    type(c_ptr) :: run
    real(c_double), allocatable :: x(:, :, :), u(:, :)
    real(c_double) :: t, norms(3)
    integer(c_int64_t) :: steps
    run = run_of("[mesh]"//nl//"box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = 'quadrilateral' }"//nl// &
                 "[model]"//nl//"name = 'advection'"//nl//"order = 2"//nl//"[material]"//nl//"ax = 1"//nl//"ay = 0.5"//nl// &
                 "[boundary]"//nl//"xmin = 'exact'"//nl//"xmax = 'exact'"//nl//"ymin = 'exact'"//nl//"ymax = 'exact'"//nl// &
                 "[initial]"//nl//"u = 'x + 2*y'"//nl//"[exact]"//nl//"u = 'x + 2*y - 2*t'"//nl//"[time]"//nl//"end = 2")
    call claim(f_text(swell_run_field_name(run, 0_c_int64_t)) == "u", "the name of the field")
    call claim(swell_run_set_callback(run, 2_c_int64_t, c_funloc(count_calls), c_loc(calls)) == swell_ok, "a callback")
    call claim(swell_run_step(run, 4_c_int64_t) == swell_ok, "four steps")
    call claim(calls == 2, "two calls in four steps")
    call claim(swell_run_finish(run) == swell_ok, "the end")
    call claim(swell_run_number(run, swell_time, t) == swell_ok, "the time")
    call claim(t == 2.0_c_double, "the end of the case")
    call claim(swell_run_count(run, swell_steps, steps) == swell_ok, "steps")
    call claim(steps > 4, "more steps than were asked for first")
    call read_all(run, "u", x, u)
    call claim(maxval(abs(u - (x(1, :, :) + 2*x(2, :, :) - 2*t))) < rounding, "the line has moved")
    call claim(swell_run_read_errors(run, c_text("u"), norms) == swell_ok, "errors")
    call claim(norms(2) < rounding, "no error but rounding")
    u = 2*u
    call claim(swell_run_write_field(run, c_text("u"), u, size(u, kind=c_size_t)) == swell_ok, "a field that is set")
    call claim(swell_run_read_errors(run, c_text("u"), norms) == swell_ok, "errors once more")
    call claim(norms(3) > 1, "an error that is seen")
    call swell_run_free(run)
  end subroutine

  function count_calls(run, data) bind(c) result(stop)
    type(c_ptr), value :: run, data
    integer(c_int) :: stop
    integer, pointer :: seen
    call c_f_pointer(data, seen)
    seen = seen + 1
    stop = merge(0_c_int, 1_c_int, c_associated(run))
  end function

  ! - div grad u = 6 with u = x^2 + y^2 + z^2 taken from -u: elements of order 2 hold the answer.
  subroutine heat_at_rest()
    type(c_ptr) :: run
    real(c_double), allocatable :: x(:, :, :), u(:, :)
    character(len=*), parameter :: wall = " = { kind = 'temperature', T = '-x^2 - y^2 - z^2' }"
    run = run_of("[mesh]"//nl//"box = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 2], element = 'tetrahedron' }"//nl// &
                 "[model]"//nl//"name = 'poisson'"//nl//"order = 2"//nl//"[source]"//nl//"u = 6"//nl//"[boundary]"//nl// &
                 "xmin"//wall//nl//"xmax"//wall//nl//"ymin"//wall//nl//"ymax"//wall//nl//"zmin"//wall//nl//"zmax"//wall//nl// &
                 "[solver]"//nl//"tolerance = 1e-13")
    call claim(swell_run_finish(run) == swell_ok, "a solve")
    call read_all(run, "u", x, u)
    call claim(maxval(abs(u + sum(x**2, dim=1))) < rounding, "the temperature at rest")
    call swell_run_free(run)
  end subroutine

  subroutine wrong_input()
    type(c_ptr) :: the_case
    call claim(swell_case_from_file(c_text("no-such.toml"), the_case) == swell_wrong_input, "a file that is not there")
    call claim(index(f_text(swell_message()), "no-such.toml") > 0, "a sentence that names the file")
  end subroutine
end program
