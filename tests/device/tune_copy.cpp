// SPDX-License-Identifier: Apache-2.0
// tune_copy: the winner is stored in a file. Other programs use the file too, and its content may be anything.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/tune_copy.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "../sim/message.hpp"
#include "require_device.hpp"

using namespace cosmati;

namespace {

namespace fs = std::filesystem;

template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(i * 7 + 1);
  return v;
}

std::string text_of(std::string const& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TuneCopy, MeasuresAndRemembers) {
  COSMATI_REQUIRE_DEVICE();
  std::string const path = testing::TempDir() + "cosmati_tuned.json";
  std::remove(path.c_str());
  auto const host = numbers<std::uint16_t>(61 * 45);
  device_buffer<std::uint16_t> in(host), out(host.size());
  auto const src = make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(61, 45), make_stride(45, 1)));
  auto const dst = make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(61, 45)));
  auto const expect_copied_and_clear = [&] {
    auto const got = out.download();
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], host[i % 61 * 45 + i / 61]) << i;
    out.clear();
  };
  auto const in_file = [&] { return nlohmann::json::parse(std::ifstream(path)); };
  tune_options const options = {.plans = 3, .rounds = 2, .cache = path};

  tuned_copy const first = tune_copy(src, dst, options);
  EXPECT_FALSE(first.from_cache);
  EXPECT_GT(first.us, 0);
  EXPECT_GE(first.place, 0);
  expect_copied_and_clear();
  nlohmann::json written = in_file();
  std::string const device = std::string(current_device().name) + ", cosmati 0.1.0";
  ASSERT_EQ(written.size(), 1u);
  ASSERT_EQ(written.at(device).size(), 1u);

  // The second call reads the file and runs nothing.
  tuned_copy const again = tune_copy(src, dst, options);
  EXPECT_TRUE(again.from_cache);
  EXPECT_EQ(again.place, first.place);
  EXPECT_EQ(again.us, first.us);
  EXPECT_EQ(out.download(), std::vector<std::uint16_t>(host.size()));
  launch_plan(again.problem, again.plan, in.data(), out.data());
  expect_copied_and_clear();

  // A second problem is added to the file.
  auto const half = make_layout(make_shape(30, 45), make_stride(45, 1));
  (void)tune_copy(make_tensor(make_gmem_ptr(in.data()), half), make_tensor(make_gmem_ptr(out.data()), half), options);
  EXPECT_EQ(in_file().at(device).size(), 2u);

  // A plan that the planner does not know is ignored.
  for (auto& [problem, kept] : written.at(device).items()) kept["plan"] = "[\"windows\",9,9,true,[7,7]]";
  std::ofstream(path) << written;
  EXPECT_FALSE(tune_copy(src, dst, options).from_cache);
  expect_copied_and_clear();

  std::ofstream(path) << "no JSON";
  try {
    (void)tune_copy(src, dst, options);
    ADD_FAILURE() << "no error";
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("cosmati_tuned.json is no JSON object; remove it"), std::string::npos);
  }
  std::remove(path.c_str());
  EXPECT_THROW((void)tune_copy(src, dst, {.plans = 1, .cache = "/nowhere/at/all.json"}), error);
}

TEST(TuneCopy, RefusesWhatCopyTensorDoes) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> buffer(std::vector<float>(200, 2.f));
  auto const at = [&](int offset) { return make_tensor(make_gmem_ptr(buffer.data() + offset), make_layout(100)); };
  auto const message = [&](int from, int to, tune_options const& options) -> std::string {
    try {
      (void)tune_copy(at(from), at(to), options);
    } catch (error const& e) {
      return e.what();
    }
    return "no error";
  };
  tune_options options;
  EXPECT_EQ(message(0, 50, options).find("tune_copy(src, dst): elements of dst lie where other elements of src do"), 0u)
      << message(0, 50, options);
  options.plans = 0;
  EXPECT_EQ(message(0, 100, options), "tune_copy: options.plans is 0 and options.rounds 5; both are 1 or more");
  options.plans = 2;
  options.rounds = -1;
  EXPECT_EQ(message(0, 100, options), "tune_copy: options.plans is 2 and options.rounds -1; both are 1 or more");
  EXPECT_EQ(buffer.download(), std::vector<float>(200, 2.f));
  options.rounds = 1;
  EXPECT_EQ(message(0, 0, options), "no error");
}

/// A folder for the test's files, and a transpose to tune.
class TunedFile : public testing::Test {
 protected:
  void SetUp() override {
    COSMATI_REQUIRE_DEVICE();
    fs::remove_all(folder);
    fs::create_directory(folder);
    in.emplace(numbers<float>(20 * 30));
    out.emplace(20 * 30);
    out->clear();
    device = std::string(current_device().name) + ", cosmati 0.1.0";
  }
  void TearDown() override { fs::remove_all(folder); }

  tuned_copy tune(std::string const& cache) {
    return tune_copy(make_tensor(make_gmem_ptr(in->data()), make_layout(make_shape(20, 30), make_stride(30, 1))),
                     make_tensor(make_gmem_ptr(out->data()), make_layout(make_shape(20, 30))),
                     {.plans = 2, .rounds = 1, .cache = cache});
  }
  /// Expects the error before any measurement: nothing is copied, and no file is left in the folder.
  void refuses(std::string const& cache, std::string const& why) {
    std::vector<fs::path> const before = files();
    EXPECT_MESSAGE(tune(cache), why);
    EXPECT_EQ(out->download(), std::vector<float>(20 * 30)) << why;
    EXPECT_EQ(files(), before) << why;
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (auto const& entry : fs::directory_iterator(folder)) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }
  void put(std::string const& text) const { std::ofstream(path) << text; }
  nlohmann::json in_file() const { return nlohmann::json::parse(text_of(path)); }

  std::string const folder = testing::TempDir() + "cosmati_tuned." + std::to_string(::getpid());
  std::string const path = folder + "/tuned.json";
  std::optional<device_buffer<float>> in, out;
  std::string device;
};

TEST_F(TunedFile, ThatCannotBeReadIsAnErrorAndStays) {
  put("{}");
  refuses(path + "/below.json", "tuned.json/below.json cannot be read: Not a directory; name a JSON file");
  for (std::string const& other : {folder, std::string("/dev/null"), std::string("/dev/zero")})
    refuses(other, other + " is no ordinary file; name one, or one that is not there yet");
  fs::create_symlink("loop.json", folder + "/loop.json");
  refuses(folder + "/loop.json", "loop.json cannot be read: Too many levels of symbolic links");
  if (::geteuid() == 0) return;  // root may read everything
  put("{\"another\": {}}");
  fs::permissions(path, fs::perms::none);
  refuses(path, "tuned.json cannot be read: Permission denied");
  fs::permissions(path, fs::perms::owner_all);
  EXPECT_EQ(text_of(path), "{\"another\": {}}");
}
TEST_F(TunedFile, ThatCannotBeWrittenIsAnErrorBeforePlansAreMeasured) {
  put("{}");
  fs::permissions(path, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  refuses(path, "tuned.json is read-only; make it writable, or name another file");
  refuses(folder + "/no/tuned.json",
          "/no/tuned.json cannot be written: there is no folder " + folder + "/no/; make it");
  if (::geteuid() == 0) return;
  fs::create_directory(folder + "/locked");
  fs::permissions(folder + "/locked", fs::perms::owner_read | fs::perms::owner_exec);
  refuses(folder + "/locked/tuned.json", "cannot be made beside it: Permission denied; make the folder writable");
}
TEST_F(TunedFile, OfAnotherShapeIsAnErrorThatNamesIt) {
  for (char const* const text : {"", "[]", "null", "{\"a\":", "\xff{}"}) {
    put(text);
    refuses(path, "tuned.json is no JSON object; remove it, or name another file");
  }
  for (char const* const text : {"5", "[]", "null"}) {
    put("{\"" + device + "\":" + text + "}");
    refuses(path, "tuned.json: what it holds of \"" + device + "\" is no JSON object; remove it from there, or name");
  }
}
TEST_F(TunedFile, EntriesThatCannotBeTrueAreMeasuredAnew) {
  EXPECT_FALSE(tune(path).from_cache);
  EXPECT_TRUE(tune(path).from_cache);
  nlohmann::json const good = in_file();
  for (nlohmann::json const& us : {nlohmann::json(-5), nlohmann::json("1"), nlohmann::json()}) {
    nlohmann::json wrong = good;
    for (auto& [problem, kept] : wrong.at(device).items()) kept["us"] = us;
    wrong["another"] = {{"a", 1}};
    put(wrong.dump());
    EXPECT_FALSE(tune(path).from_cache) << us;
    EXPECT_EQ(in_file().at("another"), wrong.at("another"));
    EXPECT_TRUE(tune(path).from_cache) << us;
  }
}
TEST_F(TunedFile, LinksAndAccessRightsStay) {
  put("{}");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_directory(folder + "/links");
  fs::create_symlink("../tuned.json", folder + "/links/one.json");
  fs::create_symlink(folder + "/links/one.json", folder + "/two.json");
  EXPECT_FALSE(tune(folder + "/two.json").from_cache);
  EXPECT_TRUE(fs::is_symlink(folder + "/two.json"));
  EXPECT_TRUE(fs::is_symlink(folder + "/links/one.json"));
  EXPECT_EQ(in_file().at(device).size(), 1u);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(tune(path).from_cache);
  EXPECT_EQ(files(), (std::vector<fs::path>{"links", "tuned.json", "two.json"}));
  fs::remove(path);
  EXPECT_FALSE(tune(folder + "/two.json").from_cache);  // a link to a missing file: the file is created
  EXPECT_EQ(in_file().at(device).size(), 1u);
}
TEST_F(TunedFile, KeepsTheWinnersOfAllWhoWriteAtOnce) {
  constexpr int writers = 6, winners = 25;
  std::vector<std::thread> threads;
  for (int w = 0; w < writers; ++w) {
    threads.emplace_back([&, w] {
      for (int k = 0; k < winners; ++k)
        detail::keep_tuned("tune_copy", path, "device", std::to_string(w) + "." + std::to_string(k), {{"us", k}});
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(in_file().at("device").size(), static_cast<std::size_t>(writers * winners));
  EXPECT_EQ(files(), std::vector<fs::path>{"tuned.json"});
}

}  // namespace
