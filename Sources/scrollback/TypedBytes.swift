internal import Foundation
internal import MessageShell

/// The arguments as they were typed, before they became text: bytes that are not UTF-8 would name another file.
enum TypedBytes {
  /// The variables that name files.
  private static let variables = ["SCROLLBACK_STORE", "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]

  /// Throws ``UsageError`` if an argument, or a variable that names files, is not UTF-8.
  static func check() throws(UsageError) {
    for place in 1..<max(1, Int(CommandLine.argc)) {
      if let argument = CommandLine.unsafeArgv[place] { try check(argument, "an argument") }
    }
    for name in variables {
      if let value = getenv(name) { try check(value, "$\(name)") }
    }
  }

  private static func check(_ bytes: UnsafePointer<CChar>, _ place: String) throws(UsageError) {
    guard String(validatingCString: bytes) == nil else { return }
    throw UsageError(
      "\(place) is not UTF-8: '\(shown(bytes))'", cause: "it would become another name or text",
      remedy: "a name in UTF-8")
  }

  /// The bytes as they would be typed in a shell's `$'…'`.
  private static func shown(_ bytes: UnsafePointer<CChar>) -> String {
    UnsafeRawBufferPointer(start: bytes, count: strlen(bytes)).map { byte in
      (0x20..<0x7F).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
