internal import HistoryModel
internal import HistoryQueries
internal import HistoryTransfer
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// The output of `follow`: events as JSON or problems as lines, and a status line on a terminal.
final class FollowDisplay {
  private let console: Console
  private let isJSON: Bool
  private var shown = ""
  private var counts: [StoredSource.ID: (path: String, added: Int)] = [:]
  private var lastPath: String?
  private var hasCaughtUp = false
  /// Whether a source could not be followed, or a record was skipped.
  private(set) var hasTrouble = false

  init(_ console: Console, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
  }

  func take(_ event: FollowEvent) {
    if isJSON {
      try? console.write(answers: CollectionOfOne(FollowEventAnswer(event)))
      console.flush()
    }
    switch event {
    case .took(let source, let path, let added, _):
      counts[source.id, default: (source.path, 0)].added += added
      lastPath = path
    case .skipped(_, let path, let count, let first):
      hasTrouble = true
      let rest = count > 1 ? " (and \(NumberText.counted(count - 1, "more record")) of '\(path)')" : ""
      complain("skipped \(first)\(rest)")
    case .trouble(_, let path, let reason):
      hasTrouble = true
      complain("cannot follow '\(path)' for now: \(reason)")
    case .back(_, let path): complain("following '\(path)' again")
    case .storeTrouble(let reason): complain("the store accepts no messages for now: \(reason)")
    case .caughtUp: if !hasCaughtUp { sumUp() }
    }
  }

  private func sumUp() {
    hasCaughtUp = true
    guard !isJSON else { return }
    clear()
    for (_, source) in counts.sorted(by: { $0.key < $1.key }) where source.added > 0 {
      let path = Self.shown(source.path)
      console.note("imported \(NumberText.counted(source.added, "message")) from \(path)")
    }
  }

  var addedCount: Int { counts.values.reduce(0) { $0 + $1.added } }

  func show(sourceCount: Int, fileCount: Int) {
    var parts = [
      "following \(NumberText.counted(sourceCount, "source")), \(NumberText.counted(fileCount, "file"))",
      NumberText.counted(addedCount, "message"),
    ]
    if let name = lastPath?.split(separator: "/").last {
      parts.append("last from \(Self.shown(String(name)))")
    }
    parts.append("Ctrl-C ends it")
    let line = parts.joined(separator: " · ")
    guard line != shown else { return }
    shown = line
    console.redraw(line)
  }

  func end() { clear() }

  private func clear() {
    guard !shown.isEmpty else { return }
    shown = ""
    console.redraw("")
  }

  private func complain(_ line: String) {
    clear()
    console.complain(Self.shown(line))
  }

  private static func shown(_ text: String) -> String {
    VisibleText.of(PathBytes.shown(text), keepsTabs: false)
  }
}

package struct FollowEventAnswer: Codable, Hashable, Sendable {
  /// `took`, `skipped`, `trouble`, `back`, `waiting` or `caughtUp`.
  package var event: String
  /// The number of the source.
  package var source: Int64?
  package var path: String?
  /// The number of added messages.
  package var messages: Int?
  /// The number of earlier messages updated.
  package var updated: Int?
  /// The number of skipped records.
  package var records: Int?
  /// The reason of `skipped`, `trouble` and `waiting`.
  package var reason: String?
}

extension FollowEventAnswer {
  init(_ event: FollowEvent) {
    switch event {
    case .took(let source, let path, let added, let updated):
      self.init(
        event: "took", source: source.id, path: PathBytes.shown(path), messages: added, updated: updated)
    case .skipped(let source, let path, let count, let first):
      self.init(
        event: "skipped", source: source.id, path: PathBytes.shown(path), records: count, reason: first)
    case .trouble(let source, let path, let reason):
      self.init(event: "trouble", source: source.id, path: PathBytes.shown(path), reason: reason)
    case .back(let source, let path):
      self.init(event: "back", source: source.id, path: PathBytes.shown(path))
    case .storeTrouble(let reason): self.init(event: "waiting", reason: reason)
    case .caughtUp: self.init(event: "caughtUp")
    }
  }
}
