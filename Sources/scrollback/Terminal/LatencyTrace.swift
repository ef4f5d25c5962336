internal import Foundation
internal import MessageShell
internal import MessageStorage

/// Notes how long it takes from keys being there to be read until the screen is written: a line for each key with its
/// name and the microseconds.
@MainActor
final class LatencyTrace {
  private let file: OutputFile
  private var names: [String] = []
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
    names = []
    start = .now
  }

  /// They mean this.
  func note(_ event: ReplEvent) {
    switch event {
    case .key(let key, _): names.append("\(key)")
    case .line(let line): names.append(String(line.prefix { !$0.isWhitespace && line.hasPrefix("/") }))
    case .search: names.append("/search")
    default: names.append("other")
    }
  }

  /// The screen is written.
  func end() {
    let microseconds = Int((ContinuousClock.now - start) / .microseconds(1))
    for name in names.isEmpty ? ["type"] : names {
      lines += "\(name.isEmpty ? "append" : name) \(microseconds)\n".utf8
    }
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
