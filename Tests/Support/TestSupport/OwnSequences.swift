/// The bytes that we write to a terminal: text that shows itself, and sequences of our own. Nothing else may be among
/// them, whatever is in a store.
package enum OwnSequences {
  /// Lines without any style.
  case none
  /// Lines with colours and links.
  case styles
  /// The painting of a screen, too.
  case screen

  /// Returns the first thing in bytes that is not ours, with what is around it; `nil` if all is.
  package func firstStray(in bytes: some Sequence<UInt8>) -> String? {
    var scanner = Scanner(bytes: Array(bytes), allowed: self)
    return scanner.firstStray()
  }

  private struct Scanner {
    let bytes: [UInt8]
    let allowed: OwnSequences
    var place = 0

    mutating func firstStray() -> String? {
      while place < bytes.count {
        let start = place
        let isOurs =
          switch bytes[place] {
          case 0x1B: passSequence()
          case 0x20...0x7E: passOne()
          case 0x80...: passLetter()
          case 0x0A, 0x09: allowed != .screen && passOne()
          // Before the end of a line, where a text has it.
          case 0x0D: allowed != .screen && start + 1 < bytes.count && bytes[start + 1] == 0x0A && passOne()
          default: false
          }
        if !isOurs { return picture(from: start) }
      }
      return nil
    }

    private mutating func passOne() -> Bool {
      place += 1
      return true
    }

    // MARK: Letters

    /// Passes what is no ASCII: UTF-8, and nothing that controls or turns the direction of text.
    private mutating func passLetter() -> Bool {
      var decoder = UTF8()
      var rest = bytes[place..<min(place + 4, bytes.count)].makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return false }
      place += UTF8.width(scalar)
      switch scalar.value {
      case 0x80...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: return false
      default: return true
      }
    }

    // MARK: Sequences

    private mutating func passSequence() -> Bool {
      guard allowed != .none, place + 1 < bytes.count else { return false }
      let kind = bytes[place + 1]
      place += 2
      switch kind {
      case UInt8(ascii: "["): return passControl()
      case UInt8(ascii: "]"): return passLink()
      case UInt8(ascii: "7"), UInt8(ascii: "8"): return allowed == .screen
      default: return false
      }
    }

    /// Passes what stands behind `ESC [`.
    private mutating func passControl() -> Bool {
      let start = place
      while place < bytes.count, (0x30...0x3F).contains(bytes[place]) { place += 1 }
      guard place < bytes.count else { return false }
      let parameters = String(decoding: bytes[start..<place], as: UTF8.self)
      let final = Character(Unicode.Scalar(bytes[place]))
      place += 1
      let areNumbers = parameters.allSatisfy { $0.isASCII && $0.isNumber || $0 == ";" }
      if final == "m" { return areNumbers }
      guard allowed == .screen else { return false }
      switch final {
      case "H", "r", "S", "T", "G": return areNumbers
      case "K": return parameters.isEmpty
      case "h", "l": return ["?7", "?25", "?2026"].contains(parameters)
      default: return false
      }
    }

    /// Passes the beginning or the end of a link (OSC 8), which stands behind `ESC ]`.
    private mutating func passLink() -> Bool {
      let start = place
      while place < bytes.count, (0x20...0x7E).contains(bytes[place]) { place += 1 }
      let link = String(decoding: bytes[start..<place], as: UTF8.self)
      guard place + 1 < bytes.count, bytes[place] == 0x1B, bytes[place + 1] == UInt8(ascii: "\\") else {
        return false
      }
      place += 2
      let parts = link.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "8" else { return false }
      let beginning = parts[2].prefix(8).lowercased()
      return beginning.isEmpty || beginning.hasPrefix("http://") || beginning == "https://"
    }

    private func picture(from start: Int) -> String {
      let around = bytes[max(0, start - 20)..<min(bytes.count, start + 20)]
      return "byte \(start) of \(String(decoding: around, as: UTF8.self).debugDescription)"
    }
  }
}
