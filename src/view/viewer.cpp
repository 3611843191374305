// SPDX-License-Identifier: Apache-2.0
#include "view/viewer.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>

#include "view/viewer_messages.hpp"

namespace swell {

namespace {

// The server gives way to the run where both want the same core.
constexpr int nice_of_server = 10;
// A page that moves its plane gets so many new ones a second, and news of the plots so often.
constexpr std::chrono::milliseconds between_slices(40), between_news(100);
constexpr std::size_t most_commands = 16;

}  // namespace

Viewer::Viewer(ViewDescription about, ShownCells cells, int port)
    : about_(std::move(about)), maker_(std::move(cells)), server_(port, *this) {
  if (!about_.live) status_ = ViewStatus::finished;
  // Signals are for the run's thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run_server(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Viewer::~Viewer() {
  server_.stop();
  thread_.join();
}

void Viewer::run_server() {
  setpriority(PRIO_PROCESS, 0, nice_of_server);  // of this thread only, on Linux
  server_.serve();
}

std::vector<ViewWish> Viewer::wishes() {
  const std::lock_guard lock(mutex_);
  std::vector<ViewWish> all;
  const auto add = [&](const Page& page, const std::shared_ptr<const Scene>& scene) {
    if (!scene) return;
    for (const ViewWish& known : all)
      if (known.field == page.field && known.picture == page.picture && known.scene == scene) return;
    all.push_back({page.field, page.picture, scene});
  };
  for (const auto& [id, page] : pages_)
    if (waits_for_new(page)) add(page, whole_), add(page, page.sliced);
  return all;
}

void Viewer::fulfil(const ViewWish& wish, const ViewMoment& now, std::vector<float> values) {
  const auto shared = std::make_shared<const std::vector<float>>(std::move(values));
  const std::lock_guard lock(mutex_);
  moment_ = now;
  for (auto& [id, page] : pages_) {
    if (!waits_for_new(page) || page.field != wish.field || page.picture != wish.picture) continue;
    if (wish.scene != whole_ && wish.scene != page.sliced) continue;
    page.moment = now;
    std::erase_if(page.parts, [&](const Page::Part& part) { return part.wish.scene == wish.scene; });
    page.parts.push_back({wish, shared});
  }
  look_round();
  server_.wake();
}

ViewCommand Viewer::command() {
  const std::lock_guard lock(mutex_);
  if (commands_.empty()) return ViewCommand::none;
  const ViewCommand first = commands_.front();
  commands_.erase(commands_.begin());
  look_round();
  return first;
}

void Viewer::set_status(ViewStatus status, const std::string& message) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  message_ = message;
  ++status_changes_;
  server_.wake();
}

void Viewer::set_moment(const ViewMoment& now) {
  const std::lock_guard lock(mutex_);
  moment_ = now;
  look_round();
}

bool Viewer::all_have_seen() const {
  const std::lock_guard lock(mutex_);
  return std::all_of(pages_.begin(), pages_.end(), [this](const auto& entry) { return entry.second.seen.step == moment_.step; });
}

void Viewer::wait(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest, [this] {
    return commanded_ ||
           std::any_of(pages_.begin(), pages_.end(), [this](const auto& entry) { return waits_for_new(entry.second); });
  });
}

std::size_t Viewer::add_series(const std::string& name, const std::vector<std::string>& columns) {
  const std::lock_guard lock(mutex_);
  series_.emplace_back(name, columns);
  return series_.size() - 1;
}

void Viewer::note(std::size_t series, double time, std::span<const double> values) {
  const std::lock_guard lock(mutex_);
  series_[series].add(time, values);
}

Viewer::Sight Viewer::sight(const Page& page) const {
  return {page.field, page.picture, moment_.step, whole_ ? whole_->number : 0, page.sliced ? page.sliced->number : 0};
}

// Whether all parts of a page's next frame are there, and are what it wishes now.
bool Viewer::is_served(const Page& page) const {
  const auto has = [&](const std::shared_ptr<const Scene>& scene) {
    return std::any_of(page.parts.begin(), page.parts.end(), [&](const Page::Part& part) {
      return part.wish.scene == scene && part.wish.field == page.field && part.wish.picture == page.picture;
    });
  };
  return has(whole_) && (!page.sliced || has(page.sliced));
}

// A page whose plane is still to be cut does not yet count as waiting.
bool Viewer::waits(const Page& page) const {
  return page.waits && page.has_whole && page.slice == page.made_slice && !is_served(page);
}

bool Viewer::waits_for_new(const Page& page) const { return waits(page) && sight(page) != page.seen; }

void Viewer::look_round() {
  commanded_ = !commands_.empty();
  wished_ = std::any_of(pages_.begin(), pages_.end(), [this](const auto& entry) { return waits(entry.second); });
  changed_.notify_all();
}

void Viewer::opened(ClientId client) {
  std::shared_ptr<const Scene> whole = whole_;
  if (!whole) whole = std::make_shared<const Scene>(maker_.whole());
  server_.send(client, Opcode::text, hello_message(about_, maker_));
  const std::lock_guard lock(mutex_);
  whole_ = whole;
  pages_[client];
}

void Viewer::closed(ClientId client) {
  const std::lock_guard lock(mutex_);
  pages_.erase(client);
  look_round();
}

bool Viewer::said(ClientId client, std::string_view text) {
  const auto message = read_page_message(text, about_, maker_.dim());
  if (!message) return false;
  const std::lock_guard lock(mutex_);
  Page& page = pages_.at(client);
  if (message->command != ViewCommand::none) {
    if (about_.live && commands_.size() < most_commands) commands_.push_back(message->command);
  } else {
    page.waits = true;
    page.field = message->field;
    page.picture = message->picture;
    page.slice = message->slice;
  }
  look_round();
  return true;
}

// Geometry is sent before the page requests it; the run is not held up meanwhile, since only this thread changes scenes.
void Viewer::prepare(ClientId client, Page& page) {
  if (!page.has_whole) send_geometry(client, *whole_, "whole");
  const bool cuts = page.slice != page.made_slice && Clock::now() - page.slice_made > between_slices;
  std::shared_ptr<const Scene> sliced = page.sliced;
  if (cuts) {
    sliced = page.slice ? std::make_shared<const Scene>(maker_.slice(*page.slice)) : nullptr;
    if (sliced) send_geometry(client, *sliced, "slice");
    page.slice_made = Clock::now();
  }
  const std::lock_guard lock(mutex_);
  page.has_whole = true;
  page.parts.clear();
  if (cuts) {
    page.sliced = sliced;
    page.made_slice = page.slice;
  }
  look_round();
}

void Viewer::tick() {
  for (auto& [id, page] : pages_) {  // only this thread adds and removes pages
    if (server_.has_backlog(id)) continue;
    if (!page.has_whole || page.slice != page.made_slice) {
      prepare(id, page);
      continue;
    }
    send_frame(id, page);
    send_news(id, page);
  }
}

void Viewer::send_geometry(ClientId client, const Scene& scene, const char* part) {
  server_.send(client, Opcode::binary, geometry_message(scene, part));
}

void Viewer::send_frame(ClientId client, Page& page) {
  std::vector<Page::Part> parts;
  ViewMoment moment;
  {
    const std::lock_guard lock(mutex_);
    if (!page.waits || !is_served(page)) return;
    parts.swap(page.parts);
    moment = page.moment;
    page.seen = sight(page);
    page.seen.step = moment.step;
    page.waits = false;
    look_round();
  }
  std::vector<SceneValues> shown;
  for (const auto& scene : {whole_, page.sliced})
    for (const Page::Part& part : parts)
      if (scene && part.wish.scene == scene) shown.push_back({scene.get(), part.values.get()});
  server_.send(client, Opcode::binary, frame_message(page.field, page.picture, moment, shown));
}

void Viewer::send_news(ClientId client, Page& page) {
  const auto now = Clock::now();
  std::string status, series;
  {
    const std::lock_guard lock(mutex_);
    if (page.status_told != status_changes_ || now - page.series_told > between_news) {
      if (page.status_told != status_changes_) status = status_message(status_, message_);
      page.status_told = status_changes_;
      page.series_told = now;
      series = series_message(series_, page.told);
    }
  }
  if (!status.empty()) server_.send(client, Opcode::text, std::move(status));
  if (!series.empty()) server_.send(client, Opcode::text, std::move(series));
}

}  // namespace swell
