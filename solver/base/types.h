#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace dashpot {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

// One column per point. All positions are metres, velocities m/s, forces N.
using Points = Eigen::Matrix3Xd;

// Four point numbers. Inside the solver det[p1-p0, p2-p0, p3-p0] > 0.
using Tet = std::array<int, 4>;
using Triangle = std::array<int, 3>;

}  // namespace dashpot
