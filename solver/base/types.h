#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace dashpot {

// Eigen's alignment decides how its matrices lie in memory and how they are allocated, and depends
// on the vector instructions that a file is compiled for. It is fixed, so that matrices can be
// passed between a library with AVX and a program without.
static_assert(EIGEN_MAX_ALIGN_BYTES == 32 && EIGEN_MAX_STATIC_ALIGN_BYTES == 32,
              "Link to the CMake target dashpot::dashpot, or define EIGEN_MAX_ALIGN_BYTES and "
              "EIGEN_MAX_STATIC_ALIGN_BYTES as 32 in all files that share matrices with Dashpot.");

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

// One column per point. All positions are metres, velocities m/s, forces N.
using Points = Eigen::Matrix3Xd;

// Four point numbers. Inside the solver det[p1-p0, p2-p0, p3-p0] > 0.
using Tet = std::array<int, 4>;
using Triangle = std::array<int, 3>;

}  // namespace dashpot
