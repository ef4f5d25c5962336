internal import MessageModel

/// SMS Backup & Restore's XML, which signalbackup-tools writes too.
/// It has a tag per SMS, and one with parts per MMS. Conversations are named after the contact, or else the
/// number.
struct SMSReader: HistoryReader {
  private let options: ImportOptions
  private var tags: XMLTags
  private var multimedia: Multimedia?
  private var isBackup = false

  private struct Multimedia {
    var attributes: [String: String]
    var original: String
    var offset: Int64
    var text = ""
    var attachments: [Message.Attachment] = []
    var sender: String?
  }

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    tags = XMLTags(file.source)
  }

  var hasSeenItsFormat: Bool { isBackup }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      switch try tags.next() {
      case .end:
        finishMultimedia(into: &sink)
        return false
      case .overlong(let offset): sink.skip(offset: offset, reason: "it is longer than 64 MB")
      case .tag(let tag, let offset): take(tag, offset, into: &sink)
      }
    }
    return true
  }

  private mutating func take(_ tag: XMLTags.Tag, _ offset: Int64, into sink: inout RecordSink) {
    switch tag.name.string {
    case "sms":
      finishMultimedia(into: &sink)
      let attributes = attributes(tag)
      add(
        attributes, text: attributes["body"] ?? "", box: attributes["type"], offset, tag.inside, into: &sink)
    case "mms":
      finishMultimedia(into: &sink)
      multimedia = Multimedia(
        attributes: attributes(tag), original: options.keepsOriginal ? tag.inside.string : "", offset: offset)
      if tag.isClosed { finishMultimedia(into: &sink) }
    case "/mms": finishMultimedia(into: &sink)
    case "part" where multimedia != nil: takePart(attributes(tag), dataByteCount(tag))
    case "addr" where multimedia != nil:
      let attributes = attributes(tag)
      // 137 is the sender: https://developer.android.com/reference/android/provider/Telephony.Mms.Addr#TYPE
      if attributes["type"] == "137" { multimedia?.sender = attributes["address"] }
    case "smses": isBackup = true
    case "/smses": break
    default: isBackup = false
    }
  }

  /// Without pictures, and without `null`, except in texts.
  private func attributes(_ tag: XMLTags.Tag) -> [String: String] {
    let texts = tag.name.elementsEqual("sms".utf8) ? "body" : "text"
    let isText = tag.name.elementsEqual("sms".utf8) || Self.isPlainText(tag)
    var attributes: [String: String] = [:]
    tag.forEachAttribute { name, value in
      let isWritten = isText && name.elementsEqual(texts.utf8)
      guard isWritten || !value.elementsEqual("null".utf8), !name.elementsEqual("data".utf8) else { return }
      attributes[name.string] = XMLTags.Tag.text(value)
    }
    return attributes
  }

  private static func isPlainText(_ tag: XMLTags.Tag) -> Bool {
    var isPlain = false
    tag.forEachAttribute { name, value in
      if name.elementsEqual("ct".utf8) { isPlain = value.elementsEqual("text/plain".utf8) }
    }
    return isPlain
  }

  private func dataByteCount(_ tag: XMLTags.Tag) -> Int? {
    var byteCount: Int?
    tag.forEachAttribute { name, value in
      // Base64 has four characters for three bytes.
      if name.elementsEqual("data".utf8) { byteCount = value.count / 4 * 3 }
    }
    return byteCount
  }

  private mutating func takePart(_ part: [String: String], _ byteCount: Int?) {
    let type = part["ct"] ?? ""
    if type == "text/plain" {
      let isFirst = multimedia?.text.isEmpty ?? true
      multimedia?.text += (isFirst ? "" : "\n") + (part["text"] ?? "")
    } else if type != "application/smil" {
      let name = part["cl"] ?? part["name"] ?? part["fn"] ?? type
      multimedia?.attachments.append(
        Message.Attachment(name: name, mediaType: type.isEmpty ? nil : type, byteCount: byteCount))
    }
  }

  private mutating func finishMultimedia(into sink: inout RecordSink) {
    guard let message = multimedia else { return }
    multimedia = nil
    let attributes = message.attributes
    var text = message.text
    if let subject = attributes["sub"], !subject.isEmpty {
      text = subject + (text.isEmpty ? "" : "\n" + text)
    }
    var original = message.original
    original.withUTF8 {
      add(
        attributes, text: text, box: attributes["msg_box"], message.offset, Bytes($0),
        attachments: message.attachments, sender: message.sender, into: &sink)
    }
  }

  private func add(
    _ attributes: [String: String], text: String, box: String?, _ offset: Int64, _ record: Bytes,
    attachments: [Message.Attachment] = [], sender: String? = nil, into sink: inout RecordSink
  ) {
    guard let milliseconds = attributes["date"].flatMap(Int64.init) else {
      return sink.skip(offset: offset, reason: "it has no time", record: record)
    }
    guard box != "3" else {
      return sink.skip(offset: offset, reason: "it is a draft that was never sent", record: record)
    }
    let address = attributes["address"] ?? "unknown number"
    var name = address
    if let contact = attributes["contact_name"], !contact.isEmpty, contact != "(Unknown)" { name = contact }
    var message = RichMessage(time: Timestamp(millisecondsSince1970: milliseconds), text: text)
    let isGroup = address.contains("~")
    message.sender = box == "1" ? (isGroup ? sender ?? name : name) : options.me ?? "me"
    message.details.senderID = box == "1" ? (isGroup ? sender : address) : nil
    message.details.attachments = attachments
    if options.keepsOriginal {
      message.details.source = Message.Source(platform: "sms", original: record.string)
    }
    sink.append(message, conversation: sink.conversation(named: name, isDirect: !isGroup, options))
  }
}
