extension TerminalModel {
  /// The meaning of a run of bytes to a terminal.
  enum Token: Equatable {
    case letter(Unicode.Scalar)
    case control(UInt8)
    case escape(String)
    case csi(String, final: Character)
    case osc(String)
  }

  /// Finds tokens in bytes as they come.
  struct Parser: Sendable {
    private enum State { case ground, escape, csi, string, stringEscape }
    private var state = State.ground
    private var buffer: [UInt8] = []
    private var letter: [UInt8] = []

    mutating func next(_ byte: UInt8) -> Token? {
      switch state {
      case .ground: ground(byte)
      case .escape: escape(byte)
      case .csi: csi(byte)
      case .string, .stringEscape: string(byte)
      }
    }

    private mutating func ground(_ byte: UInt8) -> Token? {
      if byte >= 0x80 { return utf8(byte) }
      letter = []
      if byte == 0x1B {
        state = .escape
        buffer = []
        return nil
      }
      return byte < 0x20 || byte == 0x7F ? .control(byte) : .letter(Unicode.Scalar(byte))
    }

    private mutating func utf8(_ byte: UInt8) -> Token? {
      letter.append(byte)
      let count = letter[0] >= 0xF0 ? 4 : letter[0] >= 0xE0 ? 3 : 2
      guard letter.count == count else { return nil }
      defer { letter = [] }
      return String(decoding: letter, as: UTF8.self).unicodeScalars.first.map(Token.letter)
    }

    private mutating func escape(_ byte: UInt8) -> Token? {
      buffer.append(byte)
      switch byte {
      case UInt8(ascii: "["): begin(.csi)
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"): begin(.string)
      case 0x20...0x2F: break  // An intermediate byte: one more follows.
      default:
        state = .ground
        return .escape(String(decoding: buffer, as: UTF8.self))
      }
      return nil
    }

    private mutating func begin(_ next: State) {
      state = next
      buffer = []
    }

    private mutating func csi(_ byte: UInt8) -> Token? {
      guard (0x40...0x7E).contains(byte) else {
        buffer.append(byte)
        return nil
      }
      state = .ground
      return .csi(String(decoding: buffer, as: UTF8.self), final: Character(Unicode.Scalar(byte)))
    }

    private mutating func string(_ byte: UInt8) -> Token? {
      let isEnd = byte == 0x07 || (state == .stringEscape && byte == UInt8(ascii: "\\"))
      if isEnd {
        state = .ground
        return .osc(String(decoding: buffer, as: UTF8.self))
      }
      state = byte == 0x1B ? .stringEscape : .string
      if byte != 0x1B { buffer.append(byte) }
      return nil
    }
  }
}
