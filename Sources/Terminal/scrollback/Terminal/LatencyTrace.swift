internal import ChatSession
internal import Foundation
internal import HistoryTransfer
internal import MessageStorage

/// Notes how long it takes from keys being there to be read until the screen is written that answers them: a line for each
/// key with its name and the microseconds.
@MainActor
final class LatencyTrace {
  private let file: OutputFile
  /// The events that are not on the screen yet.
  private var pending: [(name: String, start: ContinuousClock.Instant)] = []
  private var hasNames = false
  private var start = ContinuousClock.now
  private var lines: [UInt8] = []

  /// Begins a file; it has its name when the trace is finished.
  ///
  /// - Parameter store: The path of the store, which is not written over.
  init(path: String, store: String) throws {
    file = try OutputFile(path: path, sparing: StoreFiles(ofStoreAt: store))
  }

  /// Keys are there.
  func begin() {
    hasNames = false
    start = .now
  }

  /// They mean this.
  func note(_ event: ReplEvent) {
    let name =
      switch event {
      case .key(let key, _): "\(key)"
      case .line(let line) where line.hasPrefix("/"): String(line.prefix { !$0.isWhitespace })
      case .line: "append"
      case .search: "/search"
      case .interrupted: "interrupt"
      case .typed, .resized, .storeChanged, .timePassed, .reported, .completions: "other"
      }
    pending.append((name, start))
    hasNames = true
  }

  /// All keys were read.
  func endOfKeys() {
    if !hasNames { pending.append(("type", start)) }
  }

  /// The screen is written, and shows what came of all that.
  func end() {
    for (name, start) in pending {
      lines += "\(name) \(Int((ContinuousClock.now - start) / .microseconds(1)))\n".utf8
    }
    pending = []
    guard lines.count >= 65_536 else { return }
    try? file.write(lines)
    lines = []
  }

  /// Writes what is left and gives the file its name.
  func finish() {
    try? file.write(lines)
    try? file.finish()
  }
}
