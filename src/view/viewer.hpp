// SPDX-License-Identifier: Apache-2.0
// The live view: what pages in a browser wish to see, and what a run (or the reader of a finished one) gives them. The run's
// thread only polls whether somebody waits, and hands over values; all else happens on the server's thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "view/scene.hpp"
#include "view/series.hpp"
#include "view/server.hpp"

namespace swell {

// The description that pages get when they open.
struct ViewDescription {
  std::string title, model, device;
  std::vector<std::string> fields;
  double end = 0;    // of a run in motion; 0: it has none
  bool live = true;  // else a finished run, with pictures at these times
  std::vector<double> times;
  std::string sequential, diverging;  // colour maps: six hexadecimal digits a colour
};

// The progress of a run.
struct ViewMoment {
  double time = 0;
  std::int64_t step = 0;
  double steps_per_second = 0;
};

enum class ViewStatus : std::uint8_t { running, paused, done, interrupted, failed, finished };
enum class ViewCommand : std::uint8_t { none, pause, resume, stop };

// One field at the cells of one scene, for pages that wait for it.
struct ViewWish {
  int field = 0;
  std::size_t picture = 0;  // of a finished run
  std::shared_ptr<const Scene> scene;
};

class Viewer : private PageListener {
 public:
  // Starts the server; the mesh behind `cells` must outlive this. Port 0: any that is free.
  Viewer(ViewDescription about, ShownCells cells, int port);
  ~Viewer() override;
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  std::string address() const { return server_.address(); }

  // The run's side, on one thread.
  // Cheap enough to be polled after every step.
  bool wished() const { return wished_; }        // somebody waits for a frame
  bool commanded() const { return commanded_; }  // there is a command
  std::vector<ViewWish> wishes();                // of those who wait for something that they have not seen yet
  void fulfil(const ViewWish& wish, const ViewMoment& now, std::vector<float> values);  // [place][node]
  ViewCommand command();  // the oldest that was not taken yet
  void set_status(ViewStatus status, const std::string& message = "");
  void set_moment(const ViewMoment& now);
  bool all_have_seen() const;  // every page the state of the last moment that was set
  void wait(std::chrono::milliseconds longest);  // until there is a command or a wish for something new

  std::size_t add_series(const std::string& name, const std::vector<std::string>& columns);
  void note(std::size_t series, double time, std::span<const double> values);

 private:
  using Clock = std::chrono::steady_clock;
  // The state of one page: the last field that was sent to it, and its next wish.
  struct Sight {
    int field = -1;
    std::size_t picture = 0;
    std::int64_t step = -1, whole = 0, slice = 0;
    bool operator==(const Sight&) const = default;
  };
  struct Page {
    bool waits = false;
    int field = 0;
    std::size_t picture = 0;
    std::optional<SlicePlane> slice, made_slice;
    std::shared_ptr<const Scene> sliced;
    bool has_whole = false;
    Sight seen;
    std::vector<std::pair<std::int64_t, std::size_t>> told;  // of each series: generation, points
    std::int64_t status_told = -1;
    Clock::time_point series_told, slice_made;
    struct Part {
      ViewWish wish;
      std::shared_ptr<const std::vector<float>> values;
    };
    std::vector<Part> parts;  // of the next frame
    ViewMoment moment;
  };

  void opened(ClientId client) override;
  bool said(ClientId client, std::string_view text) override;
  void closed(ClientId client) override;
  void tick() override;

  void run_server();
  void prepare(ClientId client, Page& page);
  void send_geometry(ClientId client, const Scene& scene, const char* part);
  void send_frame(ClientId client, Page& page);
  void send_news(ClientId client, Page& page);
  Sight sight(const Page& page) const;
  bool is_served(const Page& page) const;
  bool waits(const Page& page) const;
  bool waits_for_new(const Page& page) const;
  void look_round();

  ViewDescription about_;
  SceneMaker maker_;
  std::shared_ptr<const Scene> whole_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> wished_{false}, commanded_{false};
  std::map<ClientId, Page> pages_;
  std::vector<ViewCommand> commands_;
  std::vector<Series> series_;
  ViewStatus status_ = ViewStatus::running;
  std::string message_;
  std::int64_t status_changes_ = 0;
  ViewMoment moment_;

  PageServer server_;
  std::thread thread_;
};

}  // namespace swell
