#include "real.hpp"

namespace array_interface::cuda_simulator::ptx {

double odd_sum(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  const auto bits = bits_as<std::uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  // The neighbour in the direction of the true sum is odd.
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

}  // namespace array_interface::cuda_simulator::ptx
