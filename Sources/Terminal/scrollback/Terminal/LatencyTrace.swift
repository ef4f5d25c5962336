internal import ChatSession
internal import Foundation
internal import HistoryTransfer
internal import MessageStorage

/// Measures the time from readable keys to the written screen: a line per key, in microseconds.
@MainActor
final class LatencyTrace {
  private let file: OutputFile
  private var pending: [(name: String, start: ContinuousClock.Instant)] = []
  private var hasNames = false
  private var start = ContinuousClock.now
  private var lines: [UInt8] = []

  /// Begins a file, which gets its name when finished. `store` must not be overwritten.
  init(path: String, store: String) throws {
    file = try OutputFile(path: path, sparing: StoreFiles(ofStoreAt: store))
  }

  func begin() {
    hasNames = false
    start = .now
  }

  func note(_ event: ReplEvent) {
    let name =
      switch event {
      case .key(let key, _): "\(key)"
      case .line(let line) where line.hasPrefix("/"): String(line.prefix { !$0.isWhitespace })
      case .line: "append"
      case .search: "/search"
      case .interrupted: "interrupt"
      case .click: "click"
      case .typed, .resized, .storeChanged, .timePassed, .reported, .completions: "other"
      }
    pending.append((name, start))
    hasNames = true
  }

  func endOfKeys() {
    if !hasNames { pending.append(("type", start)) }
  }

  func end() {
    for (name, start) in pending {
      lines += "\(name) \(Int((ContinuousClock.now - start) / .microseconds(1)))\n".utf8
    }
    pending = []
    guard lines.count >= 65_536 else { return }
    try? file.write(lines)
    lines = []
  }

  func finish() {
    try? file.write(lines)
    try? file.finish()
  }
}
