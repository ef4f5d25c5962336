/// The command by which a program continues one of its sessions, from the program's own help.
///
/// A history may contain any id: one that does not have the program's form is never put into a command, so it
/// cannot act as an option.
public struct ResumeCommand: Hashable, Sendable {
  enum IDForm: Hashable, Sendable {
    /// Eight, four, four, four and twelve hexadecimal digits.
    case uuid
    /// Letters, digits, hyphens and underscores after a prefix.
    case word(after: String)
    /// That many digits and lowercase letters.
    case letters(Int)
    /// The session is known by its folder alone.
    case none
  }

  /// The name of the program.
  public let program: String
  private let arguments: [String]
  private let form: IDForm

  private static let id = "ID"
  private static let lengths = 6...128

  init(_ program: String, _ arguments: [String], _ form: IDForm) {
    self.program = program
    self.arguments = arguments
    self.form = form
  }

  /// The words of the command that continues a session, program first; `nil` if the id does not have the
  /// program's form.
  public func command(forSession id: String) -> [String]? {
    guard isID(id) else { return nil }
    return [program] + arguments.map { $0.replacing(Self.id, with: id) }
  }

  private func isID(_ id: String) -> Bool {
    switch form {
    case .none: return true
    case .uuid:
      let parts = id.split(separator: "-", omittingEmptySubsequences: false)
      return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
        && parts.allSatisfy { $0.utf8.allSatisfy { Self.isHexDigit($0) } }
    case .letters(let count):
      return id.utf8.count == count
        && id.utf8.allSatisfy { Self.isWordByte($0) && !(0x41...0x5A).contains($0) }
    case .word(let beginning):
      guard id.hasPrefix(beginning), Self.lengths.contains(id.utf8.count), let first = id.utf8.first else {
        return false
      }
      return Self.isWordByte(first) && id.utf8.allSatisfy { Self.isWordByte($0) || $0 == 0x2D || $0 == 0x5F }
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}

extension ImportFormats {
  /// The command by which a platform's program continues its sessions; `nil` if it cannot.
  public static func resumeCommand(ofPlatform platform: String) -> ResumeCommand? {
    (programs + chats).first { $0.name == platform }?.resume
  }
}
