internal import Foundation
internal import MessageModel
internal import TerminalText

/// The settings file `$XDG_CONFIG_HOME/scrollback/config`: lines `name = value`, written by `/set` or by
/// hand.
///
/// Anything else (unknown names, comments, the order) is preserved.
package struct ConfigFile: Sendable {
  package let path: String

  package init(environment: [String: String]) {
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    path = (folder ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.config") + "/scrollback/config"
  }

  private enum Line {
    case setting(name: String, value: String)
    /// A comment or an empty line.
    case other
    /// A malformed line.
    case unclear

    init(_ text: Substring) {
      let text = text.trimming(while: \.isWhitespace)
      guard let end = text.firstIndex(of: "=") else {
        self = text.isEmpty || text.hasPrefix("#") ? .other : .unclear
        return
      }
      let name = text[..<end].trimming(while: \.isWhitespace)
      let value = text[text.index(after: end)...].trimming(while: \.isWhitespace)
      self = text.hasPrefix("#") ? .other : .setting(name: String(name), value: String(value))
    }
  }

  private var lines: [Substring] {
    // Foundation takes a hundredth of a short command to find that there is none.
    guard access(path, F_OK) == 0, let data = FileManager.default.contents(atPath: path) else { return [] }
    var lines = String(decoding: data, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// If a name occurs twice, the last one counts.
  package var settings: [String: String] {
    lines.reduce(into: [:]) { if case .setting(let name, let value) = Line($1) { $0[name] = value } }
  }

  /// Malformed lines and unknown names.
  package func unclear(knowing names: [String]) -> [String] {
    lines.compactMap { text in
      switch Line(text) {
      case .other: nil
      case .unclear: "'\(SafeText.oneLine(text).cut(columns: 30))'"
      case .setting(let name, _) where names.contains(name): nil
      case .setting(let name, _):
        "'\(SafeText.oneLine(name).cut(columns: 30))'"
          + (Nearest.name(to: name, among: names).map { " (did you mean \($0)?)" } ?? "")
      }
    }
  }

  /// Writes settings, keeping all other lines; returns whether the file contains them now.
  @discardableResult
  package func write(_ settings: [String: String]) -> Bool {
    let present = self.settings
    var new = settings.filter { present[$0.key] != $0.value && !$0.value.contains(where: \.isNewline) }
    if new.isEmpty { return true }
    var lines = lines.map(String.init)
    for index in lines.indices.reversed() {
      guard case .setting(let name, _) = Line(lines[index][...]), let value = new.removeValue(forKey: name)
      else {
        continue
      }
      lines[index] = "\(name) = \(value)"
    }
    lines += new.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    return write(lines.map { $0 + "\n" }.joined())
  }

  package static func unkept(in path: String) -> UsageError {
    UsageError(
      "set for this session alone", cause: "cannot write '\(SafeText.oneLine(path))'",
      status: .cannotCreate)
  }

  private func write(_ text: String) -> Bool {
    // A symbolic link stays one.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let folder = file.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      return false
    }
    return true
  }

  /// Imports the settings that earlier versions kept in the state folder; those of the file take precedence.
  package func takeOver(from state: StateFolder) {
    let old = state.formerSettings
    guard !old.isEmpty else { return }
    let own = settings
    if write(old.filter { own[$0.key] == nil }) { state.removeFormerSettings() }
  }
}
