#pragma once

#include <vector>

#include "SYS/SYS_Types.h"

template <class T>
class UT_Array {
 public:
  exint size() const { return static_cast<exint>(items_.size()); }
  exint entries() const { return size(); }
  void setSize(exint size) { items_.resize(static_cast<std::size_t>(size)); }
  exint append(const T& item) {
    items_.push_back(item);
    return size() - 1;
  }
  T& operator()(exint i) { return items_.at(static_cast<std::size_t>(i)); }
  const T& operator()(exint i) const { return items_.at(static_cast<std::size_t>(i)); }

 private:
  std::vector<T> items_;
};
typedef UT_Array<int64> UT_Int64Array;
