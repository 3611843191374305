// SPDX-License-Identifier: Apache-2.0
// long because an equation is one page: numerical fluxes, two-point fluxes, boundaries and outputs are choices of the same text.
/* model
name        euler
about       Compressible flow without friction (Euler's equations): mass, momentum and energy of an ideal gas.
dimensions  1 2 3
fields      scalar rho, vector rho[uvw], scalar E
variables   scalar rho, vector u, scalar p
material    gamma = 1.4 above 1, vector g = 0, spin = 0
linear      no
reaction    g* spin
flux        rusanov
wall        slip
boundary    farfield rho positive, vector u, p positive
boundary    inflow rho positive, vector u, p positive
boundary    outflow p positive
admissible  rho p
*/

// rho_t + div(rho u) = 0, (rho u)_t + div(rho u u) + grad p = rho g - 2 rho spin e_z x u, E_t + div((E + p) u) = rho u . g with
// p = (gamma - 1) (E - rho |u|^2 / 2).

FUNCTION real dot(const real *a, const real *b)
{
  real sum = a[0] * b[0];
  for (int d = 1; d < DIM; ++d) sum += a[d] * b[d];
  return sum;
}

FUNCTION real pressure(const real *q, const real *m)
{
  return (m[gamma] - 1.0) * (q[E] - 0.5 * dot(q + rhou, q + rhou) / q[rho]);
}

FUNCTION real sound(const real *q, const real *m)
{
  return sqrt(m[gamma] * pressure(q, m) / q[rho]);
}

FUNCTION void flux(const real *q, const real *m, const real *n, real *f)
{
  real un = dot(q + rhou, n) / q[rho], pr = pressure(q, m);
  f[rho] = q[rho] * un;
  for (int d = 0; d < DIM; ++d) f[rhou + d] = q[rhou + d] * un + pr * n[d];
  f[E] = (q[E] + pr) * un;
}

FUNCTION real speed(const real *q, const real *m, const real *n)
{
  return fabs(dot(q + rhou, n) / q[rho]) + sound(q, m);
}

// Gravity does work, the Coriolis force of a frame that turns about z does none. The centrifugal acceleration depends on the place
// and belongs into g.
FUNCTION void reaction(const real *q, const real *m, real *out)
{
  out[rho] = splat(0.0);
  for (int d = 0; d < DIM; ++d) out[rhou + d] = q[rho] * m[gx + d];
  out[E] = dot(q + rhou, m + gx);
#if DIM > 1
  out[rhou] += 2.0 * m[spin] * q[rhou + 1];
  out[rhou + 1] -= 2.0 * m[spin] * q[rhou];
#endif
}

FUNCTION void variables_of(const real *q, const real *m, real *v)
{
  v[rho] = q[rho];
  for (int d = 0; d < DIM; ++d) v[ux + d] = q[rhou + d] / q[rho];
  v[p] = pressure(q, m);
}

FUNCTION void fields_of(const real *v, const real *m, real *q)
{
  q[rho] = v[rho];
  for (int d = 0; d < DIM; ++d) q[rhou + d] = v[rho] * v[ux + d];
  q[E] = v[p] / (m[gamma] - 1.0) + 0.5 * v[rho] * dot(v + ux, v + ux);
}

FUNCTION void admissible(const real *q, const real *m, real *margin)
{
  margin[0] = q[rho];
  margin[1] = pressure(q, m);
}

// p / rho^gamma: a particle keeps it, but in shocks, where it grows.
FUNCTION real entropy(const real *q, const real *m)
{
  return pressure(q, m) * pow(q[rho], -m[gamma]);
}

// Roe's means (1981) of velocity, total enthalpy and speed of sound; u has DIM entries.
FUNCTION void roe_means(const real *ql, const real *ml, const real *qr, const real *mr, real *u, real *enthalpy, real *c)
{
  real left = sqrt(ql[rho]), right = sqrt(qr[rho]), part = left / (left + right);
  real hl = (ql[E] + pressure(ql, ml)) / ql[rho], hr = (qr[E] + pressure(qr, mr)) / qr[rho];
  for (int d = 0; d < DIM; ++d) u[d] = part * (ql[rhou + d] / ql[rho]) + (1.0 - part) * (qr[rhou + d] / qr[rho]);
  *enthalpy = part * hl + (1.0 - part) * hr;
  *c = sqrt((0.5 * (ml[gamma] + mr[gamma]) - 1.0) * (*enthalpy - 0.5 * dot(u, u)));
}

// Harten, Lax and van Leer (1983), with the speeds of both sides (Davis 1988).
FUNCTION void flux_hll(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real ul = dot(ql + rhou, n) / ql[rho], ur = dot(qr + rhou, n) / qr[rho];
  real cl = sound(ql, ml), cr = sound(qr, mr);
  real slow = fmin(fmin(ul - cl, ur - cr), splat(0.0)), fast = fmax(fmax(ul + cl, ur + cr), splat(0.0));
  real fl[FIELDS], fr[FIELDS];
  flux(ql, ml, n, fl);
  flux(qr, mr, n, fr);
  for (int i = 0; i < FIELDS; ++i)
    f[i] = (fast * fl[i] - slow * fr[i] + fast * slow * (qr[i] - ql[i])) / (fast - slow);
}

// HLLC (Toro, Spruce and Speares 1994) with the speeds of Einfeldt (1988): the slower and faster of each side's and of Roe's mean.
FUNCTION void flux_hllc(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real ul = dot(ql + rhou, n) / ql[rho], ur = dot(qr + rhou, n) / qr[rho];
  real pl = pressure(ql, ml), pr = pressure(qr, mr);
  real mean[DIM], enthalpy, c;
  roe_means(ql, ml, qr, mr, mean, &enthalpy, &c);
  real un = dot(mean, n);
  real slow = fmin(ul - sqrt(ml[gamma] * pl / ql[rho]), un - c), fast = fmax(ur + sqrt(mr[gamma] * pr / qr[rho]), un + c);
  real into_l = ql[rho] * (slow - ul), into_r = qr[rho] * (fast - ur);
  real contact = (pr - pl + into_l * ul - into_r * ur) / (into_l - into_r);
  // The side of the contact that the face is on, and the state between the contact and that side's outer wave.
  real q[FIELDS];
  for (int i = 0; i < FIELDS; ++i) q[i] = contact >= 0.0 ? ql[i] : qr[i];
  real speed_of = contact >= 0.0 ? ul : ur, p_of = contact >= 0.0 ? pl : pr, outer = contact >= 0.0 ? slow : fast;
  real into = contact >= 0.0 ? into_l : into_r;
  real part = contact >= 0.0 ? fmin(slow, splat(0.0)) : fmax(fast, splat(0.0));
  real between = into / (outer - contact), kick = contact - speed_of;
  f[rho] = q[rho] * speed_of + part * (between - q[rho]);
  for (int d = 0; d < DIM; ++d)
    f[rhou + d] = q[rhou + d] * speed_of + p_of * n[d] + part * (between * (q[rhou + d] / q[rho] + kick * n[d]) - q[rhou + d]);
  f[E] = (q[E] + p_of) * speed_of + part * (between * (q[E] / q[rho] + kick * (contact + p_of / into)) - q[E]);
}

// |speed|, not below what a wave that opens between `left` and `right` needs (Harten and Hyman 1983).
FUNCTION real opened(real speed, real left, real right)
{
  real least = fmax(fmax(speed - left, right - speed), splat(0.0));
  real size = fabs(speed);
  return size < least ? 0.5 * (speed * speed / least + least) : size;
}

// Roe (1981), with that entropy fix in both acoustic waves.
FUNCTION void flux_roe(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real u[DIM], enthalpy, c, fl[FIELDS], fr[FIELDS], along[DIM];
  roe_means(ql, ml, qr, mr, u, &enthalpy, &c);
  real un = dot(u, n), density = sqrt(ql[rho] * qr[rho]);
  real ul = dot(ql + rhou, n) / ql[rho], ur = dot(qr + rhou, n) / qr[rho];
  real jump_p = pressure(qr, mr) - pressure(ql, ml), jump_u = ur - ul, jump_rho = qr[rho] - ql[rho];
  real back = opened(un - c, ul - sound(ql, ml), ur - sound(qr, mr)) * (jump_p - density * c * jump_u) / (2.0 * c * c);
  real ahead = opened(un + c, ul + sound(ql, ml), ur + sound(qr, mr)) * (jump_p + density * c * jump_u) / (2.0 * c * c);
  real stay = fabs(un), heat = stay * (jump_rho - jump_p / (c * c));
  for (int d = 0; d < DIM; ++d)
    along[d] = stay * density * (qr[rhou + d] / qr[rho] - ql[rhou + d] / ql[rho] - jump_u * n[d]);
  flux(ql, ml, n, fl);
  flux(qr, mr, n, fr);
  f[rho] = 0.5 * (fl[rho] + fr[rho] - back - heat - ahead);
  for (int d = 0; d < DIM; ++d)
    f[rhou + d] = 0.5 * (fl[rhou + d] + fr[rhou + d] - back * (u[d] - c * n[d]) - heat * u[d] - along[d] - ahead * (u[d] + c * n[d]));
  f[E] = 0.5 * (fl[E] + fr[E] - back * (enthalpy - c * un) - heat * 0.5 * dot(u, u) - dot(u, along) - ahead * (enthalpy + c * un));
}

// The logarithmic mean (b - a)/(log b - log a) of positive numbers (Ismail and Roe 2009): with f = (b - a)/(b + a) it is (a + b)/2
// over atanh(f)/f = 1 + f^2/3 + f^4/5 + ...; where f^2 is below 0.01, so many terms leave out less than rounding.
FUNCTION real log_mean(const real a, const real b)
{
  const real sum = a + b, f = (b - a) / sum, u = f * f;
  const real far = splat(0.01);
  real ratio = 1.0 + u * (1.0 / 3 + u * (1.0 / 5 + u * (1.0 / 7 + u * (1.0 / 9 + u * (1.0 / 11 + u * (1.0 / 13 + u * (1.0 / 15)))))));
  if (any(u > far)) ratio = u > far ? 0.5 * log(b / a) / f : ratio;
  return 0.5 * sum / ratio;
}

// The entropy conserving flux of Chandrashekar (2013) with the dissipation of Winters, Derigs, Gassner and Walch (2017, eq. 3.27),
// by the waves of a mean state, of the jump of the entropy variables: entropy is produced, never destroyed.
FUNCTION void flux_entropy(const real *ql, const real *ml, const real *qr, const real *mr, const real *n, real *f)
{
  real ratio = 0.5 * (ml[gamma] + mr[gamma]), pl = pressure(ql, ml), pr = pressure(qr, mr);
  real bl = 0.5 * ql[rho] / pl, br = 0.5 * qr[rho] / pr, b = 0.5 * (bl + br);
  real density = log_mean(ql[rho], qr[rho]), pr_mean = 0.5 * (ql[rho] + qr[rho]) / (2.0 * b), b_log = log_mean(bl, br);
  real ul[DIM], ur[DIM], u[DIM], jump_w[DIM], bent[DIM];
  for (int d = 0; d < DIM; ++d) {
    ul[d] = ql[rhou + d] / ql[rho];
    ur[d] = qr[rhou + d] / qr[rho];
    u[d] = 0.5 * (ul[d] + ur[d]);
    jump_w[d] = 2.0 * (br * ur[d] - bl * ul[d]);
  }
  real squares = 0.5 * (dot(ul, ul) + dot(ur, ur)), half_square = dot(u, u) - 0.5 * squares, un = dot(u, n);
  real flow = density * un;
  // The jumps of the entropy variables of mass and energy.
  real entropies = log(pr / pl) - ratio * log(qr[rho] / ql[rho]);
  real jump_rho = -entropies / (ratio - 1.0) - (br * dot(ur, ur) - bl * dot(ul, ul)), jump_E = 2.0 * (bl - br);
  real c = sqrt(ratio * pr_mean / density), enthalpy = 0.5 * ratio / (b_log * (ratio - 1.0)) + half_square;
  real jump_n = dot(jump_w, n), stay = fabs(un), weight = density / (2.0 * ratio);
  real common = jump_rho + dot(u, jump_w) + enthalpy * jump_E, sonic = c * (jump_n + un * jump_E);
  real back = fabs(un - c) * weight * (common - sonic), ahead = fabs(un + c) * weight * (common + sonic);
  real still = stay * density * (ratio - 1.0) / ratio * (jump_rho + dot(u, jump_w) + half_square * jump_E);
  for (int d = 0; d < DIM; ++d) bent[d] = stay * pr_mean * (jump_w[d] - jump_n * n[d] + (u[d] - un * n[d]) * jump_E);
  f[rho] = flow;
  f[E] = flow * (0.5 / ((ratio - 1.0) * b_log) - 0.5 * squares);
  for (int d = 0; d < DIM; ++d) {
    f[rhou + d] = flow * u[d] + pr_mean * n[d];
    f[E] += u[d] * f[rhou + d];
  }
  f[rho] -= 0.5 * (back + still + ahead);
  for (int d = 0; d < DIM; ++d)
    f[rhou + d] -= 0.5 * (back * (u[d] - c * n[d]) + still * u[d] + bent[d] + ahead * (u[d] + c * n[d]));
  f[E] -= 0.5 * (back * (enthalpy - c * un) + still * half_square + dot(u, bent) + ahead * (enthalpy + c * un));
}

FUNCTION real mean(const real a, const real b)
{
  return 0.5 * (a + b);
}

// A flux that keeps kinetic energy and equilibria of the pressure, from its means of density, pressure and inner energy per mass.
FUNCTION void two_point(const real *vl, const real *vr, const real density, const real pressure, const real inner, const real *n, real *f)
{
  real un = 0.0 * n[0];
  for (int d = 0; d < DIM; ++d) un += mean(vl[ux + d], vr[ux + d]) * n[d];
  f[rho] = density * un;
  for (int d = 0; d < DIM; ++d) f[rhou + d] = f[rho] * mean(vl[ux + d], vr[ux + d]) + pressure * n[d];
  f[E] = f[rho] * (inner + 0.5 * dot(vl + ux, vr + ux)) + mean(vl[p] * dot(vr + ux, n), vr[p] * dot(vl + ux, n));
}

// Kennedy and Gruber (2008): the means of density, velocity, energy per mass and pressure; keeps the kinetic energy.
FUNCTION void pair_kennedy_gruber(const real *vl, const real *vr, const real *m, const real *n, real *f)
{
  const real pr = mean(vl[p], vr[p]), over = 1.0 / (m[gamma] - 1.0);
  const real el = over * vl[p] / vl[rho] + 0.5 * dot(vl + ux, vl + ux), er = over * vr[p] / vr[rho] + 0.5 * dot(vr + ux, vr + ux);
  real un = 0.0 * n[0];
  for (int d = 0; d < DIM; ++d) un += mean(vl[ux + d], vr[ux + d]) * n[d];
  f[rho] = mean(vl[rho], vr[rho]) * un;
  for (int d = 0; d < DIM; ++d) f[rhou + d] = f[rho] * mean(vl[ux + d], vr[ux + d]) + pr * n[d];
  f[E] = f[rho] * mean(el, er) + pr * un;
}

// Ranocha (2018): keeps entropy, kinetic energy and equilibria of the pressure.
FUNCTION void pair_ranocha(const real *vl, const real *vr, const real *m, const real *n, real *f)
{
  const real inner = 1.0 / ((m[gamma] - 1.0) * log_mean(vl[rho] / vl[p], vr[rho] / vr[p]));
  two_point(vl, vr, log_mean(vl[rho], vr[rho]), mean(vl[p], vr[p]), inner, n, f);
}

// Chandrashekar (2013): keeps entropy and kinetic energy.
FUNCTION void pair_chandrashekar(const real *vl, const real *vr, const real *m, const real *n, real *f)
{
  const real bl = 0.5 * vl[rho] / vl[p], br = 0.5 * vr[rho] / vr[p], pr = 0.5 * mean(vl[rho], vr[rho]) / mean(bl, br);
  real un = 0.0 * n[0], square = 0.0 * n[0], along = 0.0 * n[0];
  for (int d = 0; d < DIM; ++d) {
    const real u = mean(vl[ux + d], vr[ux + d]);
    un += u * n[d];
    square += mean(vl[ux + d] * vl[ux + d], vr[ux + d] * vr[ux + d]);
    along += u * u;
  }
  f[rho] = log_mean(vl[rho], vr[rho]) * un;
  for (int d = 0; d < DIM; ++d) f[rhou + d] = f[rho] * mean(vl[ux + d], vr[ux + d]) + pr * n[d];
  f[E] = f[rho] * (0.5 / ((m[gamma] - 1.0) * log_mean(bl, br)) + along - 0.5 * square) + pr * un;
}

// A mirror: no velocity through the wall.
FUNCTION void ghost_slip(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  real un = dot(q + rhou, n);
  ghost[rho] = q[rho];
  for (int d = 0; d < DIM; ++d) ghost[rhou + d] = q[rhou + d] - 2.0 * un * n[d];
  ghost[E] = q[E];
}

FUNCTION void ghost_symmetry(const real *q, const real *m, const real *n, const real *data, real *ghost)
{
  ghost_slip(q, m, n, data, ghost);
}

// Everything leaves as it is.
FUNCTION void state_absorbing(const real *q, const real *m, const real *n, const real *data, real *state)
{
  for (int i = 0; i < FIELDS; ++i) state[i] = q[i];
}

// The state at rho, u, p: Riemann's invariants of the waves that leave are the interior's, those of the waves that come in the
// given state's; entropy and the velocity along the face come with the flow.
FUNCTION void state_farfield(const real *q, const real *m, const real *n, const real *data, real *state)
{
  real inner[FIELDS], wall[FIELDS], ratio = m[gamma];
  variables_of(q, m, inner);
  real ui = dot(inner + ux, n), uo = dot(data + ux, n);
  real ci = sqrt(ratio * inner[p] / inner[rho]), co = sqrt(ratio * data[p] / data[rho]);
  real out = ui + 2.0 * ci / (ratio - 1.0), in = uo - 2.0 * co / (ratio - 1.0);
  real un = 0.5 * (out + in), c = 0.25 * (ratio - 1.0) * (out - in);
  for (int i = 0; i < FIELDS; ++i) wall[i] = un > 0.0 ? inner[i] : data[i];
  real along = dot(wall + ux, n), known = sqrt(ratio * wall[p] / wall[rho]);
  // A wave that leaves so fast that vacuum would open takes the given state with it.
  real open = c > 0.0 ? c / known : splat(1.0);
  wall[rho] *= pow(open, 2.0 / (ratio - 1.0));
  wall[p] *= pow(open, 2.0 * ratio / (ratio - 1.0));
  for (int d = 0; d < DIM; ++d) wall[ux + d] += (un - along) * n[d];
  for (int i = 0; i < FIELDS; ++i) {
    wall[i] = uo <= -co || c <= 0.0 ? data[i] : wall[i];
    wall[i] = ui >= ci ? inner[i] : wall[i];
  }
  fields_of(wall, m, state);
}

// Density and velocity are given; the pressure is the interior's unless the flow comes in faster than sound.
FUNCTION void state_inflow(const real *q, const real *m, const real *n, const real *data, real *state)
{
  real wall[FIELDS];
  for (int i = 0; i < FIELDS; ++i) wall[i] = data[i];
  wall[p] = -dot(data + ux, n) >= sqrt(m[gamma] * data[p] / data[rho]) ? data[p] : pressure(q, m);
  fields_of(wall, m, state);
}

// The pressure is given: an isentropic wave leads to it. A flow that leaves faster than sound does not feel it.
FUNCTION void state_outflow(const real *q, const real *m, const real *n, const real *data, real *state)
{
  real wall[FIELDS], ratio = m[gamma];
  variables_of(q, m, wall);
  real un = dot(wall + ux, n), c = sqrt(ratio * wall[p] / wall[rho]);
  real free = un >= c ? splat(1.0) : splat(0.0), part = free > 0.0 ? splat(1.0) : data[0] / wall[p];
  real kick = 2.0 * c / (ratio - 1.0) * (1.0 - pow(part, 0.5 * (ratio - 1.0) / ratio));
  wall[rho] *= pow(part, 1.0 / ratio);
  wall[p] *= part;
  for (int d = 0; d < DIM; ++d) wall[ux + d] += kick * n[d];
  fields_of(wall, m, state);
}

FUNCTION real ignores_outflow(const real *q, const real *m, const real *n, const real *data)
{
  return dot(q + rhou, n) / q[rho] - sound(q, m);
}

// A flow that enters needs its state from outside. A thousandth of the speed of sound is no stream.
FUNCTION real lacks_absorbing(const real *q, const real *m, const real *n, const real *data)
{
  return -dot(q + rhou, n) / q[rho] - 1e-3 * sound(q, m);
}

FUNCTION real quantity_mass(const real *q, const real *m)
{
  return q[rho];
}

FUNCTION real quantity_energy(const real *q, const real *m)
{
  return q[E];
}

FUNCTION real quantity_kinetic(const real *q, const real *m)
{
  return 0.5 * dot(q + rhou, q + rhou) / q[rho];
}

// -rho s / (gamma - 1), the entropy of the equations: it falls where there are shocks.
FUNCTION real quantity_entropy(const real *q, const real *m)
{
  return -q[rho] * (log(pressure(q, m)) - m[gamma] * log(q[rho])) / (m[gamma] - 1.0);
}

FUNCTION real derived_entropy(const real *q, const real *m)
{
  return entropy(q, m);
}

FUNCTION real derived_mach(const real *q, const real *m)
{
  return sqrt(dot(q + rhou, q + rhou)) / (q[rho] * sound(q, m));
}

// du[i][axis] of the velocity.
FUNCTION void velocity_gradient(const real *q, const real *dq, real *du)
{
  for (int i = 0; i < DIM; ++i)
    for (int a = 0; a < DIM; ++a)
      du[i * DIM + a] = (dq[(rhou + i) * DIM + a] - q[rhou + i] / q[rho] * dq[rho * DIM + a]) / q[rho];
}

// curl u in the plane, its magnitude in space, 0 on a line.
FUNCTION real derived_vorticity(const real *q, const real *dq, const real *m)
{
  real du[DIM * DIM];
  velocity_gradient(q, dq, du);
#if DIM == 1
  return 0.0 * du[0];
#elif DIM == 2
  return du[2] - du[1];
#else
  real curl[3];
  for (int i = 0; i < 3; ++i) curl[i] = du[(i + 2) % 3 * 3 + (i + 1) % 3] - du[(i + 1) % 3 * 3 + (i + 2) % 3];
  return sqrt(dot(curl, curl));
#endif
}

// (|W|^2 - |S|^2) / 2 of the antisymmetric and the symmetric part of grad u: positive where it turns more than it strains (Hunt, Wray
// and Moin 1988).
FUNCTION real derived_q_criterion(const real *q, const real *dq, const real *m)
{
  real du[DIM * DIM], sum = splat(0.0);
  velocity_gradient(q, dq, du);
  for (int i = 0; i < DIM; ++i)
    for (int a = 0; a < DIM; ++a) sum += du[i * DIM + a] * du[a * DIM + i];
  return -0.5 * sum;
}

// |grad rho|, as a schlieren picture shows it.
FUNCTION real derived_schlieren(const real *q, const real *dq, const real *m)
{
  return sqrt(dot(dq + rho * DIM, dq + rho * DIM));
}
