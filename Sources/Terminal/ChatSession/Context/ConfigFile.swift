internal import Foundation
internal import MessageModel
internal import TerminalText

/// The file of settings: `$XDG_CONFIG_HOME/scrollback/config`, lines of `name = value` that `/set` writes and people may.
///
/// What is not understood in it (other names, comments, the order) stays as it is.
package struct ConfigFile: Sendable {
  /// The path of the file.
  package let path: String

  /// The file of the user, in `$XDG_CONFIG_HOME` or what stands for it.
  package init(environment: [String: String]) {
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    path = (folder ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.config") + "/scrollback/config"
  }

  /// A line of the file.
  private enum Line {
    case setting(name: String, value: String)
    /// A comment, or nothing.
    case other
    /// No setting, though it stands where one should.
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
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    var lines = String(decoding: data, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The settings by name; where one stands twice, the last.
  package var settings: [String: String] {
    lines.reduce(into: [:]) { if case .setting(let name, let value) = Line($1) { $0[name] = value } }
  }

  /// The lines that are no setting, with the names of settings that there are not.
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

  /// Writes what was set; all other lines stay as they are.
  ///
  /// - Returns: Whether the file says so now.
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

  /// The error that says that what was set is not kept.
  package static func unkept(in path: String) -> UsageError {
    UsageError(
      "set for this session alone", cause: "cannot write '\(SafeText.oneLine(path))'",
      status: .cannotCreate)
  }

  private func write(_ text: String) -> Bool {
    // A link to where somebody keeps their files stays one.
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

  /// Takes over what earlier versions kept beside; what the file says already holds.
  package func takeOver(from state: StateFolder) {
    let old = state.formerSettings
    guard !old.isEmpty else { return }
    let own = settings
    if write(old.filter { own[$0.key] == nil }) { state.removeFormerSettings() }
  }
}
