// A JSON value that keeps the order of its members.
#pragma once
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

class Json {
 public:
  Json() : text_("null") {}
  Json(bool b) : text_(b ? "true" : "false") {}
  Json(int n) : text_(std::to_string(n)) {}
  Json(double x) {
    char s[40];
    std::snprintf(s, sizeof s, "%.12g", x == 0 ? 0.0 : x);  // no negative zero
    text_ = s;
  }
  Json(const char* s) : text_("\"" + std::string(s) + "\"") {}
  Json(const std::string& s) : Json(s.c_str()) {}

  static Json array() { return Json(Kind::kArray); }
  static Json object() { return Json(Kind::kObject); }

  void push(Json j) { items_.emplace_back("", std::move(j)); }
  void set(const std::string& name, Json j) {
    for (auto& it : items_)
      if (it.first == name) {
        it.second = std::move(j);
        return;
      }
    items_.emplace_back(name, std::move(j));
  }
  void drop(const std::string& name) {
    for (size_t i = 0; i < items_.size(); i++)
      if (items_[i].first == name) {
        items_.erase(items_.begin() + static_cast<long>(i));
        return;
      }
  }
  bool empty() const { return items_.empty(); }

  std::string text() const {
    if (kind_ == Kind::kPlain) return text_;
    std::string s = kind_ == Kind::kArray ? "[" : "{";
    for (size_t i = 0; i < items_.size(); i++) {
      if (i > 0) s += ",";
      if (kind_ == Kind::kObject) s += "\"" + items_[i].first + "\":";
      s += items_[i].second.text();
    }
    return s + (kind_ == Kind::kArray ? "]" : "}");
  }

 private:
  enum class Kind { kPlain, kArray, kObject };
  explicit Json(Kind k) : kind_(k) {}
  Kind kind_ = Kind::kPlain;
  std::string text_;
  std::vector<std::pair<std::string, Json>> items_;
};
