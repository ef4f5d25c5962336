internal import MessageModel

extension ZulipHistory {
  private static let companionNames: Set<String> = [
    ZulipRealm.fileName, "attachment.json", "migration_status.json", "stats.json", "records.json",
    "analytics.json", "emoji.json",
  ]

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard sample.mayGoWith("zulip") else { return false }
    guard companionNames.contains(sample.name) else { return false }
    if sample.has("\"zerver_") || sample.has("\"analytics_") || sample.has("\"migrations_by_app\"") {
      return true
    }
    guard sample.name != ZulipRealm.fileName else { return false }
    let folders = sample.components.dropLast()
    return (0...2).contains { depth in
      depth < folders.count && companions.has(ZulipRealm.fileName, in: folders.dropLast(depth))
    }
  }
}

extension ZulipArchiveHistory {
  /// Whether a topic begins whose first message is longer than the sample.
  static func isCutTopic(_ sample: FormatSample) -> Bool {
    let start = sample.bytes.prefix(256).filter { $0 > 0x20 }
    return start.starts(with: "[{\"content\":\"<".utf8) && !sample.isWhole
  }
}

/// Zulip's export, which converters of other services also write: a file per thousand messages.
/// Messages are sorted by id. A channel's topic is a conversation, `channel > topic`, as in Zulip's links.
struct ZulipHistory: JSONHistory {
  private static let mostHeld = 20_000

  private let options: ImportOptions
  private let realm: ZulipRealm
  private var times: LooseTime
  private var held: [Held] = []

  private struct Held {
    var id: Int64
    var conversation: String
    var isDirect: Bool?
    var identity: ConversationIdentity?
    var message: RichMessage
  }

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    realm = file.companions.zulipRealm(in: file.folder)
  }

  func descends(into path: [String]) -> Bool {
    path.isEmpty || path == ["zerver_message"] || path == ["zerver_usermessage"]
  }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    guard path == ["zerver_message", "*"] else { return }
    let fields = try JSONFields.reading(value)
    guard let id = fields.integer("id") else { throw JSONError(reason: "it has no id") }
    guard let written = fields["date_sent"] ?? fields["pub_date"], let (time, precision) = times.read(written)
    else { throw JSONError(reason: "it has no time") }
    var message = RichMessage(
      time: time, precision: precision, text: ZulipMarkup.plainText(try fields.string("content") ?? ""))
    let sender = fields.integer("sender") ?? 0
    message.sender = realm.userName(sender)
    message.details.senderID = String(sender)
    message.details.source = Message.Source(
      platform: "zulip", id: String(id), original: options.keepsOriginal ? value.string : nil)
    message.details.reactions = realm.reactions(to: id)
    message.details.edits = try edits(fields)
    message.details.noteEdit(fields["last_edit_time"], after: times)
    // Every server counts from 1.
    message.details.hasDoubtfulID = true
    let place = realm.conversation(recipient: fields.integer("recipient") ?? 0, sender: sender)
    let topic = try fields.string("subject") ?? ""
    let name = place.isChannel && !topic.isEmpty ? "\(place.name) > \(topic)" : place.name
    held.append(
      Held(
        id: id, conversation: name, isDirect: place.isDirect,
        identity: realm.identity(of: place, topic: topic), message: message))
    if held.count >= Self.mostHeld { handOver(to: &sink) }
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) { handOver(to: &sink) }

  mutating func breakOff(into sink: inout RecordSink) { handOver(to: &sink) }

  private mutating func handOver(to sink: inout RecordSink) {
    for one in held.sorted(by: { $0.id < $1.id }) {
      let conversation = sink.conversation(
        named: one.conversation, isDirect: one.isDirect, identity: one.identity, in: realm.name, options)
      sink.append(one.message, conversation: conversation)
    }
    held.removeAll()
  }

  /// Oldest first; the export has them newest first, as JSON within a string.
  private func edits(_ fields: JSONFields) throws(JSONError) -> [Message.Edit] {
    guard var history = try fields.string("edit_history") else { return [] }
    var edits: [Message.Edit] = []
    history.withUTF8 { bytes in
      var scanner = JSONScanner(Bytes(bytes))
      try? scanner.array { scanner throws(JSONError) in
        let edit = try JSONFields.reading(try scanner.value())
        guard let text = try edit.string("prev_content"), let seconds = edit.integer("timestamp"),
          let milliseconds = Int64(exactly: Double(seconds) * 1_000)
        else { return }
        edits.append(
          Message.Edit(
            time: Timestamp(millisecondsSince1970: milliseconds), text: ZulipMarkup.plainText(text)))
      }
    }
    return edits.reversed()
  }
}

/// A topic of zulip-archive; only the path names it and its channel.
struct ZulipArchiveHistory: JSONHistory {
  private let options: ImportOptions
  private let conversation: String
  private let identity: ConversationIdentity?

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    let stem = file.name.hasSuffix(".json") ? String(file.name.dropLast(5)) : file.name
    // `.20` is an escaped space.
    let topic = stem.replacingEscapes(after: ".")
    let channel = (file.components.dropLast().last ?? "").replacingEscapes(after: ".")
    // `113488-general`: a number and a name.
    let parts = channel.split(separator: "-", maxSplits: 1)
    let isNumbered = parts.count == 2 && Int(parts[0]) != nil
    conversation = isNumbered ? "\(parts[1]) > \(topic)" : topic
    identity =
      isNumbered ? ConversationIdentity(platform: "zulip-archive", key: "\(channel)/\(topic)") : nil
  }

  func descends(into path: [String]) -> Bool { path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    guard let seconds = fields.integer("timestamp") else { throw JSONError(reason: "it has no time") }
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !overflow else { throw JSONError(reason: "its time is not understood") }
    var message = RichMessage(
      time: Timestamp(millisecondsSince1970: milliseconds), precision: .second,
      text: HTMLText.plain(try fields.string("content") ?? "", showsEmoji: true))
    message.sender = try fields.string("sender_full_name")
    if let id = fields.integer("id") {
      message.details.source = Message.Source(platform: "zulip", id: String(id))
      message.details.hasDoubtfulID = true
    }
    if options.keepsOriginal {
      message.details.source = Message.Source(
        platform: "zulip", id: message.details.source?.id, original: value.string)
    }
    sink.append(
      message,
      conversation: sink.conversation(named: conversation, isDirect: nil, identity: identity, options))
  }
}

/// Mentions and links in Zulip's Markdown: <https://zulip.com/help/format-your-message-using-markdown>.
enum ZulipMarkup {
  /// Replaces `@**Ann|12**` by `@Ann` and `#**channel>topic**` by `#channel>topic`. O(length).
  static func plainText(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "*")) else { return text }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      if let mark = marks.first(where: { rest.starts(with: $0.utf8) }),
        let (name, count) = name(behind: mark, in: rest)
      {
        result.append(first)
        result.append(contentsOf: name)
        rest = rest.dropFirst(count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let marks = ["@**", "@_**", "#**"]
  private static let longestName = 256

  private static func name(behind mark: String, in text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Int)? {
    let inner = text.dropFirst(mark.utf8.count).prefix(longestName)
    let star = UInt8(ascii: "*")
    guard let end = inner.indices.dropLast().first(where: { inner[$0] == star && inner[$0 + 1] == star }),
      end > inner.startIndex
    else { return nil }
    var name = inner[..<end]
    // `|12` is added to names that several people share.
    if mark != "#**", let bar = name.lastIndex(of: UInt8(ascii: "|")), bar > name.startIndex {
      name = name[..<bar]
    }
    return (name, mark.utf8.count + (end - inner.startIndex) + 2)
  }
}
