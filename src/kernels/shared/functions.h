// SPDX-License-Identifier: Apache-2.0
// The functions of case-file expressions, for kernels: ex_NAME on scalars. Their values are those of Expression on the host.
// The dictionary defines FUNCTION and scalar, and offers sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt cbrt pow
// fabs floor erf on scalars; Bessel functions are not everywhere and stand here.

FUNCTION scalar ex_sin(scalar a) { return sin(a); }
FUNCTION scalar ex_cos(scalar a) { return cos(a); }
FUNCTION scalar ex_tan(scalar a) { return tan(a); }
FUNCTION scalar ex_asin(scalar a) { return asin(a); }
FUNCTION scalar ex_acos(scalar a) { return acos(a); }
FUNCTION scalar ex_atan(scalar a) { return atan(a); }
FUNCTION scalar ex_atan2(scalar a, scalar b) { return atan2(a, b); }
FUNCTION scalar ex_sinh(scalar a) { return sinh(a); }
FUNCTION scalar ex_cosh(scalar a) { return cosh(a); }
FUNCTION scalar ex_tanh(scalar a) { return tanh(a); }
FUNCTION scalar ex_exp(scalar a) { return exp(a); }
FUNCTION scalar ex_log(scalar a) { return log(a); }
FUNCTION scalar ex_sqrt(scalar a) { return sqrt(a); }
FUNCTION scalar ex_cbrt(scalar a) { return cbrt(a); }
FUNCTION scalar ex_abs(scalar a) { return fabs(a); }
FUNCTION scalar ex_min(scalar a, scalar b) { return b < a ? b : a; }
FUNCTION scalar ex_max(scalar a, scalar b) { return b > a ? b : a; }
FUNCTION scalar ex_pow(scalar a, scalar b) { return pow(a, b); }
FUNCTION scalar ex_square(scalar a) { return a * a; }
FUNCTION scalar ex_cube(scalar a) { return a * a * a; }
FUNCTION scalar ex_fourth(scalar a) { return (a * a) * (a * a); }
FUNCTION scalar ex_floor(scalar a) { return floor(a); }
FUNCTION scalar ex_sign(scalar a) { return (scalar)(a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0); }
FUNCTION scalar ex_step(scalar a) { return (scalar)(a < 0.0 ? 0.0 : 1.0); }
FUNCTION scalar ex_erf(scalar a) { return erf(a); }

FUNCTION scalar ex_gauss(scalar a, scalar width) {
  scalar ratio = a / width;
  return exp(-(ratio * ratio));
}

// Ricker (1953): the second derivative of a Gaussian with peak frequency f, centred at t0.
FUNCTION scalar ex_ricker(scalar t, scalar f, scalar t0) {
  scalar phase = (scalar)(3.14159265358979323846 * f * (t - t0));
  scalar square = phase * phase;
  return (scalar)((1.0 - 2.0 * square) * exp(-square));
}

// J_n by its power series, (x/2)^n / n! sum_k (-x^2/4)^k / (k! (n+1)...(n+k)) (DLMF 10.2.2); without cancellation for
// x^2 < 4 (n + 1).
FUNCTION scalar ex_bessel_series(int n, scalar x) {
  scalar half_x = (scalar)(0.5 * x);
  scalar head = 1;
  for (int k = 1; k <= n; ++k) head *= half_x / (scalar)k;
  scalar term = 1;
  scalar sum = 1;
  for (int k = 1; k <= 30; ++k) {
    term *= -(half_x * half_x) / ((scalar)k * (scalar)(n + k));
    sum += term;
  }
  return head * sum;
}

// J_n by Miller's downward recurrence J_{k-1} = (2k/x) J_k - J_{k+1} from far above both n and x, scaled by
// 1 = J_0 + 2 J_2 + 2 J_4 + ... (DLMF 3.6(ii), 10.12.4).
FUNCTION scalar ex_bessel_downward(int n, scalar x) {
  scalar top = x > (scalar)n ? x : (scalar)n;
  int start = 2 * (int)((top + 12 + 6 * sqrt(top)) / 2);
  scalar above = 0;
  scalar here = 1;
  scalar sum = 0;
  scalar wanted = 0;
  for (int k = start; k > 0; --k) {
    scalar below = 2 * (scalar)k / x * here - above;
    above = here;
    here = below;
    if (fabs(here) > (scalar)1e10) {
      above *= (scalar)1e-10;
      here *= (scalar)1e-10;
      sum *= (scalar)1e-10;
      wanted *= (scalar)1e-10;
    }
    if (k - 1 == n) wanted = here;
    if ((k - 1) % 2 == 0) sum += k == 1 ? here : 2 * here;
  }
  return wanted / sum;
}

// J_n, or Y_n where `second`, of the orders 0 and 1 by Hankel's expansion (DLMF 10.17.3 and 10.17.4) for x >= 25, where its terms
// fall below rounding before they grow. The phase x - (2n + 1) pi/4 is taken apart, so that no rounding of the difference enters.
FUNCTION scalar ex_bessel_large(int n, scalar x, int second) {
  scalar mu = (scalar)(4 * n * n);
  scalar even = 1;
  scalar odd = 0;
  scalar term = 1;
  for (int k = 1; k <= 24; ++k) {
    scalar factor = (scalar)(2 * k - 1);
    term *= (mu - factor * factor) / ((scalar)(8 * k) * x);
    if (k % 2 == 1)
      odd += k % 4 == 1 ? term : -term;
    else
      even += k % 4 == 2 ? -term : term;
  }
  scalar s = sin(x);
  scalar c = cos(x);
  scalar cosine = n == 0 ? c + s : s - c;
  scalar sine = n == 0 ? s - c : -(c + s);
  scalar wave = second ? even * sine + odd * cosine : even * cosine - odd * sine;
  return (scalar)0.56418958354775628695 / sqrt(x) * wave;  // 1/sqrt(pi)
}

FUNCTION scalar ex_bessel(int n, scalar x) {
  scalar sign = 1;
  if (x < 0) {
    x = -x;
    if (n % 2 != 0) sign = -1;
  }
  if (x * x < 4 * (scalar)(n + 1)) return sign * ex_bessel_series(n, x);
  if (x < 25 || x < (scalar)n) return sign * ex_bessel_downward(n, x);
  scalar before = ex_bessel_large(0, x, 0);
  if (n == 0) return before;
  scalar here = ex_bessel_large(1, x, 0);
  for (int k = 1; k < n; ++k) {
    scalar next = 2 * (scalar)k / x * here - before;
    before = here;
    here = next;
  }
  return sign * here;
}

FUNCTION scalar ex_j0(scalar x) { return ex_bessel(0, x); }
FUNCTION scalar ex_j1(scalar x) { return ex_bessel(1, x); }
// n is a whole number from 0 to 50.
FUNCTION scalar ex_jn(scalar n, scalar x) { return ex_bessel((int)n, x); }

// Y_0 and Y_1 by their ascending series (DLMF 10.8.1 and 10.8.2) for x < 2. With H_k = 1 + 1/2 + ... + 1/k,
//   pi/2 Y_n = (ln(x/2) + gamma) J_n - [n = 1] / x - 1/2 (x/2)^n sum_k (H_k + H_{n+k}) (-x^2/4)^k / (k! (n+k)!).
FUNCTION scalar ex_bessel_second_series(int n, scalar x) {
  scalar half_x = (scalar)(0.5 * x);
  scalar term = 1;
  scalar harmonic = (scalar)n;
  scalar sum = harmonic;
  for (int k = 1; k <= 15; ++k) {
    term *= -(half_x * half_x) / ((scalar)k * (scalar)(n + k));
    harmonic += 1 / (scalar)k + 1 / (scalar)(n + k);
    sum += harmonic * term;
  }
  scalar logarithm = log(half_x) + (scalar)0.57721566490153286061;  // Euler's constant
  scalar pole = n == 0 ? 0 : 1 / x;
  scalar rest = (scalar)0.5 * (n == 0 ? 1 : half_x) * sum;
  return (scalar)0.63661977236758134308 * (logarithm * ex_bessel_series(n, x) - pole - rest);  // 2/pi
}

// Y_0 and Y_1 by Neumann's expansion (Abramowitz and Stegun 1964, 9.1.88) for 2 <= x < 25,
//   pi/2 Y_n = (ln(x/2) + gamma - n) J_n - [n = 1] J_0 / x - sum_{k>=1} (-1)^k (n + 2k) / (k (n + k)) J_{n+2k},
// with all J_m by the downward recurrence of ex_bessel_downward.
FUNCTION scalar ex_bessel_second_middle(int n, scalar x) {
  int start = 2 * (int)((x + 12 + 6 * sqrt(x)) / 2);
  scalar above = 0;
  scalar here = 1;
  scalar norm = 0;
  scalar wanted = 0;
  scalar sum = 0;
  for (int m = start - 1; m >= 0; --m) {
    scalar below = 2 * (scalar)(m + 1) / x * here - above;
    above = here;
    here = below;
    if (fabs(here) > (scalar)1e10) {
      above *= (scalar)1e-10;
      here *= (scalar)1e-10;
      norm *= (scalar)1e-10;
      wanted *= (scalar)1e-10;
      sum *= (scalar)1e-10;
    }
    if (m % 2 == 0) norm += m == 0 ? here : 2 * here;
    if (m == n) wanted = here;
    if (m > n && (m - n) % 2 == 0) {
      int k = (m - n) / 2;
      scalar share = (scalar)m / (scalar)(k * (n + k)) * here;
      sum += k % 2 == 0 ? share : -share;
    }
  }
  scalar logarithm = log((scalar)(0.5 * x)) + (scalar)0.57721566490153286061 - (scalar)n;
  scalar pole = n == 0 ? 0 : here / x;
  return (scalar)0.63661977236758134308 * (logarithm * wanted - pole - sum) / norm;
}

FUNCTION scalar ex_bessel_second_low(int n, scalar x) {
  if (x < 2) return ex_bessel_second_series(n, x);
  return x < 25 ? ex_bessel_second_middle(n, x) : ex_bessel_large(n, x, 1);
}

// Upward recurrence, along which Y_n grows (DLMF 10.6.1). Minus infinity at 0, and no number below.
FUNCTION scalar ex_bessel_second(int n, scalar x) {
  if (!(x > 0)) return log(x);
  scalar before = ex_bessel_second_low(0, x);
  if (n == 0) return before;
  scalar here = ex_bessel_second_low(1, x);
  for (int k = 1; k < n && here - here == 0; ++k) {
    scalar next = 2 * (scalar)k / x * here - before;
    before = here;
    here = next;
  }
  return here;
}

FUNCTION scalar ex_y0(scalar x) { return ex_bessel_second(0, x); }
FUNCTION scalar ex_y1(scalar x) { return ex_bessel_second(1, x); }
// n is a whole number from 0 to 50.
FUNCTION scalar ex_yn(scalar n, scalar x) { return ex_bessel_second((int)n, x); }
