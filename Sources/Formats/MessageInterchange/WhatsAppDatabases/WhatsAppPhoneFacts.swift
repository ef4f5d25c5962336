internal import MessageModel

/// What an iPhone keeps beside a message in Protocol Buffers' encoding, by the numbers of its fields.
struct WhatsAppPhoneFacts {
  private static let longestName = 256
  private static let longestAnswer = 1_024
  private static let mostReactions = 10_000
  private static let mostAnswers = 100

  let metadata: Bytes
  let receipts: Bytes
  let people: WhatsAppPeople

  /// The key of the message that it replies to.
  var answered: String? { Self.text(5, in: metadata, upTo: Self.longestName) }

  /// The number of times it was passed on before; chains of five are "forwarded many times".
  var forward: Message.Forward? {
    var score: UInt64 = 0
    ProtobufFields.forEachNumber(in: metadata) { field, value in
      if field == 46 { score = value }
    }
    return score > 0 ? Message.Forward(isFrequent: score >= 5) : nil
  }

  var reactions: [Message.Reaction] {
    var given: [(emoji: String, sender: String)] = []
    ProtobufFields.forEach(in: receipts) { field, list in
      guard field == 7 else { return }
      ProtobufFields.forEach(in: list) { field, reaction in
        guard field == 1, given.count < Self.mostReactions else { return }
        var (emoji, sender) = ("", people.me)
        ProtobufFields.forEach(in: reaction) { field, value in
          guard UTF8Check.isValid(value), value.count <= Self.longestName else { return }
          if field == 2 { sender = people.name(of: value.string) }
          if field == 3 { emoji = value.string }
        }
        if !emoji.isEmpty { given.append((emoji, sender)) }
      }
    }
    return Message.Reaction.gathered(given)
  }

  /// The name a person chose: plain or, since 2023, in a protobuf message in base64.
  static func pushName(_ written: String?) -> String? {
    guard let written, !written.isEmpty, written.utf8.count <= 1_024 else { return nil }
    let decoded = TransferEncoding.base64(written.utf8)
    var name: String?
    decoded.withUnsafeBytes { bytes in
      ProtobufFields.forEach(in: bytes) { field, value in
        if field == 1, UTF8Check.isValid(value), !value.isEmpty { name = value.string }
      }
    }
    if let name, decoded.first == 0x0A { return name }
    return written.contains("=") ? nil : written
  }

  /// The question of a poll, its answers, and how many chose each.
  var poll: String? {
    var poll: Bytes?
    ProtobufFields.forEach(in: receipts) { field, value in
      if field == 8, poll == nil { poll = value }
    }
    guard let poll, let question = Self.text(2, in: poll, upTo: Self.longestAnswer) else { return nil }
    var answers: [String] = []
    var votes: [UInt64: Int] = [:]
    ProtobufFields.forEach(in: poll) { field, value in
      switch field {
      case 3 where answers.count < Self.mostAnswers:
        answers.append(Self.text(1, in: value, upTo: Self.longestAnswer) ?? "")
      case 5, 6:
        ProtobufFields.forEachNumber(in: value) { field, answer in
          if field == 1, answer < UInt64(Self.mostAnswers) { votes[answer, default: 0] += 1 }
        }
      default: break
      }
    }
    let lines = answers.enumerated().map { "- \($1) (\(votes[UInt64($0)] ?? 0))" }
    return ([question] + lines).joined(separator: "\n")
  }

  private static func text(_ wanted: UInt64, in bytes: Bytes, upTo byteCount: Int) -> String? {
    var text: String?
    ProtobufFields.forEach(in: bytes) { field, value in
      if field == wanted, text == nil, value.count <= byteCount, UTF8Check.isValid(value) {
        text = value.string
      }
    }
    return text
  }
}
