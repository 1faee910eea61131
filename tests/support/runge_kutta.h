#pragma once

namespace dashpot {

// One step of the classical rule for x'' = acceleration(x, x'), v = x'.
template <class Vector, class Acceleration>
void runge_kutta_step(double dt, const Acceleration& acceleration, Vector& x, Vector& v) {
  const Vector v1 = v, a1 = acceleration(x, v1);
  const Vector v2 = v + dt / 2 * a1, a2 = acceleration(x + dt / 2 * v1, v2);
  const Vector v3 = v + dt / 2 * a2, a3 = acceleration(x + dt / 2 * v2, v3);
  const Vector v4 = v + dt * a3, a4 = acceleration(x + dt * v3, v4);
  x += dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  v += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
}

}  // namespace dashpot
