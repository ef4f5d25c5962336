internal import MessageModel

/// The files beside the pages, which name them without their endings.
struct GoogleVoiceFiles: CompanionFiles {
  private var names: [String: String] = [:]

  mutating func add(_ components: ArraySlice<String>) {
    guard components.count == 1, let name = components.last, !name.hasSuffix(".html"),
      let dot = name.lastIndex(of: ".")
    else { return }
    names[String(name[..<dot])] = name
  }

  func path(of name: String) -> String { names[name] ?? name }
}

/// Google Voice in Google's Takeout: a page for a part of a conversation, a call or a voicemail.
struct GoogleVoiceReader: HistoryReader {
  private static let beginning: StaticString = "<div class=\"message\">"
  private static let mostFiles = 100

  private let options: ImportOptions
  private let file: InputFile
  private let files: GoogleVoiceFiles
  private var times = LooseTime(ImportOptions(timeZone: .gmt))
  private var chat: String?
  private var group: [String] = []
  private var hasHead = false

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    self.file = file
    files = file.companions.namedFiles(in: file.folder)
    chat = Self.chat(ofFile: file.name)
  }

  var hasSeenItsFormat: Bool { hasHead }

  /// `Ann - Text - 2022-07-01T01_06_39Z.html`; a group's files have no name before the time.
  private static func chat(ofFile name: String) -> String? {
    var parts = name.split(separator: " - ").map(String.init)
    guard parts.count > 2, parts[parts.count - 1].contains("T") else { return nil }
    parts.removeLast(2)
    return parts.joined(separator: " - ")
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      let block = try HTMLBlock(nextOf: file.source) { $0.position(of: Self.beginning, from: $1) }
      if let fault = block.fault {
        sink.skip(offset: block.offset, reason: fault)
      } else {
        take(HTMLPart(block.bytes), at: block.offset, into: &sink)
      }
      file.source.consume(block.bytes.count)
      if block.isLast { return false }
    }
    return true
  }

  private mutating func take(_ part: HTMLPart, at offset: Int64, into sink: inout RecordSink) {
    var message: RichMessage?
    if part.bytes.has(Self.beginning) {
      message = text(part)
    } else {
      readHead(part)
      guard part.element(of: "haudio") != nil else { return }
      message = call(part)
    }
    guard var message else {
      return sink.skip(offset: offset, reason: "it has no time", record: part.bytes)
    }
    if options.keepsOriginal {
      message.details.source = Message.Source(platform: "google-voice", original: part.html)
    }
    sink.append(
      message,
      conversation: sink.conversation(
        named: conversation, isDirect: group.isEmpty, options))
  }

  private var conversation: String {
    group.isEmpty ? chat ?? PathNames(file.components).conversation : group.sorted().joined(separator: ", ")
  }

  private mutating func readHead(_ head: HTMLPart) {
    hasHead = hasHead || head.bytes.position(of: "hChatLog") != nil
    if let people = head.element(of: "participants")?.content {
      var position = 0
      while group.count < Self.mostFiles, let person = people.element(of: "vcard", from: position) {
        position = person.range.upperBound
        if let name = Person(person.content).shownName { group.append(name) }
      }
    }
    // `Me to`, and the name in a line of its own.
    let title = head.element(named: "<title")?.text.split(separator: "\n") ?? []
    if chat == nil, title.count > 1 { chat = title.last.map(String.init) }
  }

  private struct Person {
    var name = ""
    var number = ""
    var isOwn = false

    init(_ part: HTMLPart) {
      if let link = part.element(of: "tel"), let address = HTMLText.attribute("href=", of: link.tag) {
        number = String(HTMLText.plain(address).dropFirst("tel:".count))
      }
      if let full = part.element(of: "fn") {
        name = full.text
        isOwn = full.tag.has("<abbr")
      }
    }

    var shownName: String? { name.isEmpty ? number.isEmpty ? nil : number : name }
  }

  private mutating func message(_ time: HTMLElement?, from person: Person?) -> RichMessage? {
    guard let time, let written = HTMLText.attribute("title=", of: time.tag),
      let (moment, precision) = times.read(written)
    else { return nil }
    if chat == nil, let person, !person.isOwn { chat = person.shownName }
    var message = RichMessage(time: moment, precision: precision, text: "")
    if let person, !person.isOwn {
      message.sender = person.shownName
      message.details.senderID = person.number.isEmpty ? nil : person.number
    } else {
      message.sender = options.me ?? "me"
    }
    return message
  }

  private mutating func text(_ part: HTMLPart) -> RichMessage? {
    let sender = Person(part.element(of: "sender")?.content ?? HTMLPart(part.bytes.first(0)))
    guard var message = message(part.element(of: "dt"), from: sender) else { return nil }
    let said = part.element(named: "<q")
    message.text = said?.text ?? ""
    addFiles(of: HTMLPart(part.bytes.dropping(said?.range.upperBound ?? 0)), to: &message)
    if !message.details.attachments.isEmpty, ["MMS Sent", "MMS Received"].contains(message.text) {
      message.text = ""
    }
    message.word = "no content"
    return message
  }

  private func addFiles(of part: HTMLPart, to message: inout RichMessage) {
    for attribute: StaticString in [" src=\"", " href=\""] {
      var position = 0
      while message.details.attachments.count < Self.mostFiles,
        let found = part.bytes.position(of: attribute, from: position)
      {
        let start = found + attribute.utf8CodeUnitCount
        let end = part.bytes.position(of: UInt8(ascii: "\""), from: start) ?? part.bytes.count
        position = end
        let name = HTMLText.plain(Bytes(rebasing: part.bytes[start..<end]).string)
        guard !name.isEmpty, !name.hasPrefix("tel:"), !name.hasPrefix("http") else { continue }
        let path = files.path(of: name)
        if !message.details.attachments.contains(where: { $0.path == path }) {
          message.details.attachments.append(Message.Attachment(name: path, path: path))
        }
      }
    }
  }

  private mutating func call(_ part: HTMLPart) -> RichMessage? {
    let other = part.element(of: "contributor").map { Person($0.content) } ?? Person(part)
    func isLabelled(_ label: StaticString) -> Bool { part.bytes.position(of: label) != nil }
    let isPlaced = isLabelled("/voice#placed")
    guard var message = message(part.element(of: "published"), from: isPlaced ? nil : other) else {
      return nil
    }
    addFiles(of: part, to: &message)
    let transcript = part.element(of: "full-text")?.text ?? ""
    if isLabelled("/voice#voicemail") {
      message.text = transcript
      message.word = "voicemail"
      return message
    }
    message.kind = .call
    let seconds =
      part.element(of: "duration").flatMap { HTMLText.attribute("title=", of: $0.tag) }
      .map(Self.seconds) ?? 0
    let isMissed = isLabelled("/voice#missed")
    message.text = isMissed ? "missed call" : seconds > 0 ? "call, \(seconds) s" : "call"
    if !transcript.isEmpty { message.text += "\n\(transcript)" }
    return message
  }

  /// The seconds of `PT1H2M3S`.
  private static func seconds(_ duration: String) -> Int {
    var (total, number) = (0, 0)
    for character in duration.utf8 {
      switch character {
      case 0x30...0x39: number = min(number * 10 + Int(character - 0x30), 1_000_000)
      case UInt8(ascii: "H"): (total, number) = (total + number * 3_600, 0)
      case UInt8(ascii: "M"): (total, number) = (total + number * 60, 0)
      case UInt8(ascii: "S"): (total, number) = (total + number, 0)
      default: number = 0
      }
    }
    return total
  }
}
