// One mistake for each group of checks in .clang-tidy, which `npm run tidy` has to see before it is
// believed. Compiled into nothing.
#include <string>
#include <utility>
#include <vector>

namespace {

struct Shape {
  int rank = 0;
};

struct Layout : Shape {
  int offset = 0;
};

Shape sliced(const Layout& layout) { return layout; }

std::size_t use_after_move(std::string text) {
  const std::string taken = std::move(text);
  return taken.size() + text.size();
}

int null_dereference(bool known) {
  int* pointer = nullptr;
  if (known) return *pointer;
  return 0;
}

std::size_t copy_of_each(const std::vector<std::string>& names) {
  std::size_t size = 0;
  for (const std::string name : names) size += name.size();
  return size;
}

bool same_twice(int a, int b) { return a == b || a == b; }

}  // namespace

std::size_t planted(const std::vector<std::string>& names) {
  const Shape shape = sliced(Layout{});
  return use_after_move("text") + static_cast<std::size_t>(null_dereference(!names.empty())) +
         copy_of_each(names) + (same_twice(1, 2) ? 1U : 0U) + static_cast<std::size_t>(shape.rank);
}
