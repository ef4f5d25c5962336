/// The command by which a program goes on with one of its sessions, as its own help has it.
///
/// What a history says of a session may lie: an id that is none of the program's is not put into a command, so that it is never
/// taken for an option.
public struct ResumeCommand: Hashable, Sendable {
  /// The form of a program's ids.
  enum IDForm: Hashable, Sendable {
    /// Eight, four, four, four and twelve hexadecimal digits.
    case uuid
    /// Letters, digits, hyphens and low lines behind a beginning.
    case word(after: String)
    /// So many digits and small letters.
    case letters(Int)
    /// A session is known by its folder alone.
    case none
  }

  /// The name of the program.
  public let program: String
  private let arguments: [String]
  private let form: IDForm

  /// The place of the id among the arguments.
  private static let id = "ID"
  /// The bounds of ids that are words.
  private static let lengths = 6...128

  /// Describes a command.
  ///
  /// - Parameter arguments: What the program is given, with `ID` where the id stands.
  init(_ program: String, _ arguments: [String], _ form: IDForm) {
    self.program = program
    self.arguments = arguments
    self.form = form
  }

  /// Returns the words of the command that goes on with a session, the program first; `nil` if its id is none of the program's.
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

/// A format of sessions that their program goes on with.
protocol ResumableFormat: ImportFormat {
  /// The command that does it.
  var resumeCommand: ResumeCommand { get }
}

extension ClaudeCodeFormat: ResumableFormat {
  var resumeCommand: ResumeCommand { ResumeCommand("claude", ["--resume", "ID"], .uuid) }
}

extension CodexFormat: ResumableFormat {
  var resumeCommand: ResumeCommand { ResumeCommand("codex", ["resume", "ID"], .uuid) }
}

extension OpenCodeFormat: ResumableFormat {
  var resumeCommand: ResumeCommand { ResumeCommand("opencode", ["--session", "ID"], .word(after: "ses_")) }
}

extension GeminiFormat: ResumableFormat {
  var resumeCommand: ResumeCommand { ResumeCommand("gemini", ["--resume", "ID"], .uuid) }
}

extension CopilotFormat: ResumableFormat {
  var resumeCommand: ResumeCommand { ResumeCommand("copilot", ["--resume=ID"], .uuid) }
}

extension PiFormat: ResumableFormat {
  var resumeCommand: ResumeCommand { ResumeCommand("pi", ["--session", "ID"], .uuid) }
}

extension AmpFormat: ResumableFormat {
  var resumeCommand: ResumeCommand {
    ResumeCommand("amp", ["threads", "continue", "ID"], .word(after: "T-"))
  }
}

extension CrushFormat: ResumableFormat {
  var resumeCommand: ResumeCommand { ResumeCommand("crush", ["--session", "ID"], .uuid) }
}

extension LLMFormat: ResumableFormat {
  var resumeCommand: ResumeCommand { ResumeCommand("llm", ["chat", "--cid", "ID"], .letters(26)) }
}

/// It has one history in each folder, and no ids.
extension AiderFormat: ResumableFormat {
  var resumeCommand: ResumeCommand { ResumeCommand("aider", ["--restore-chat-history"], .none) }
}

extension ImportFormats {
  /// Returns the command by which the program of a platform goes on with its sessions; `nil` if it has none.
  public static func resumeCommand(ofPlatform platform: String) -> ResumeCommand? {
    let formats = all.compactMap { $0 as? any ResumableFormat }
    return formats.first { $0.name == platform }?.resumeCommand
  }
}
