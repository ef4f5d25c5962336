internal import Foundation

/// A file that redirects a browser to the page. The address contains the key, and all users can see the
/// arguments of a process: so the browser gets the name of a file that only its owner can read.
struct BrowserLink {
  private let folder: String

  #if os(macOS)
    private static let opener = "/usr/bin/open"
  #else
    private static let opener = "/usr/bin/xdg-open"
  #endif

  /// Opens the file in the desktop's browser. Prints a note if that fails: the address was already printed.
  init?(to url: String) {
    var template = Array((NSTemporaryDirectory() + "/scrollback-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let file = folder + "/open.html"
    let page = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(url)"><title>Scrollback</title>
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.opener)
    process.arguments = [file]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.standardError
    do {
      try page.write(toFile: file, atomically: false, encoding: .utf8)
      try process.run()
    } catch {
      ServeProgram.write(
        "scrollback: cannot open a browser (\(Self.opener)); the address is above", to: .standardError)
      remove()
      return nil
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
