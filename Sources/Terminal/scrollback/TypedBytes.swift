internal import ChatSession
internal import Foundation
internal import MessageModel

/// The arguments as typed: as text, bytes that are not UTF-8 would name another file.
enum TypedBytes {
  /// Commands whose file arguments may have any bytes.
  private static let readers: Set<String> = ["import", "follow", "sources"]

  /// The arguments, with file names that are not UTF-8 preserved by ``PathBytes``.
  static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { place in
      CommandLine.unsafeArgv[place].map { isFileToRead(at: place) ? PathBytes.text($0) : String(cString: $0) }
    }
  }

  private static let variables = ["SCROLLBACK_STORE", "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]

  /// Throws ``UsageError`` if an argument, or a variable that names a file, is not UTF-8.
  static func check() throws(UsageError) {
    for place in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[place], !isFileToRead(at: place) else { continue }
      try check(argument, "an argument")
    }
    for name in variables {
      if let value = getenv(name) { try check(value, "$\(name)") }
    }
  }

  /// Whether an argument of a reading command is an existing file and not an option's value.
  private static func isFileToRead(at place: Int) -> Bool {
    guard place > 1, let command = CommandLine.unsafeArgv[1], let before = CommandLine.unsafeArgv[place - 1],
      let argument = CommandLine.unsafeArgv[place]
    else { return false }
    let mayBeValue = before[0] == CChar(bitPattern: UInt8(ascii: "-")) && strcmp(before, "--") != 0
    return readers.contains(String(cString: command)) && !mayBeValue && access(argument, F_OK) == 0
  }

  private static func check(_ bytes: UnsafePointer<CChar>, _ place: String) throws(UsageError) {
    guard String(validatingCString: bytes) == nil else { return }
    throw UsageError(
      "\(place) is not UTF-8: '\(shown(bytes))'", cause: "it would become another name or text",
      remedy: "a name in UTF-8; import and follow take the names of files that are there (after --)")
  }

  /// The bytes as in a shell's `$'…'`.
  private static func shown(_ bytes: UnsafePointer<CChar>) -> String {
    UnsafeRawBufferPointer(start: bytes, count: strlen(bytes)).map { byte in
      (0x20..<0x7F).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
