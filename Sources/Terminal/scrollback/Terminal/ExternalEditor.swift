internal import CReadline
internal import Foundation

@MainActor
enum ExternalEditor {
  /// Opens a text in `$VISUAL` or `$EDITOR`, in this terminal, and waits. Returns the saved text without
  /// trailing line ends; `nil` if no file could be created.
  static func edit(_ text: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let program = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "scrollback-\(UUID().uuidString).txt")
    let made = FileManager.default.createFile(
      atPath: file.path, contents: Data((text + "\n").utf8), attributes: [.posixPermissions: 0o600])
    guard made else {
      creadline_bell()
      return nil
    }
    defer { try? FileManager.default.removeItem(at: file) }
    _ = creadline_run_editor(program, file.path)
    guard let data = try? Data(contentsOf: file) else { return nil }
    var saved = String(decoding: data, as: UTF8.self)
    while saved.hasSuffix("\n") { saved.removeLast() }
    return saved
  }
}
