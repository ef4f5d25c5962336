internal import Foundation
internal import MessageModel

struct MatrixTile {
  private static let mostReactions = 500

  let head: HTMLPart
  let line: HTMLPart

  var senderName: String? { head.content(of: "mx_DisambiguatedProfile_displayName")?.text }

  var senderID: String? {
    guard let picture = head.bytes.position(of: "mx_EventTile_avatar"),
      let id = HTMLText.attribute(" title=", of: head.bytes.dropping(picture))
    else { return nil }
    let plain = HTMLText.plain(id)
    return plain.hasPrefix("@") && plain.contains(":") ? plain : nil
  }

  var time: (title: String?, clock: String) {
    guard let found = line.bytes.position(of: "class=\"mx_MessageTimestamp\""),
      let end = line.bytes.position(of: UInt8(ascii: ">"), from: found)
    else { return (nil, "") }
    let title = HTMLText.attribute(" title=", of: Bytes(rebasing: line.bytes[found..<end]))
    let clock = line.bytes.dropping(end + 1).prefix { $0 != UInt8(ascii: "<") }
    return (title, String(decoding: clock, as: UTF8.self).trimming { $0.isWhitespace })
  }

  /// From the link of the time: `https://matrix.to/#/!room:example.org/$event?via=…`.
  var roomID: String? {
    let link = line.bytes.first(line.bytes.position(of: "mx_MessageTimestamp") ?? 0)
    guard let id = link.position(of: "https://matrix.to/#/!").map({ link.dropping($0 + 20) }) else {
      return nil
    }
    let text = String(
      decoding: id.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    return text.removingPercentEncoding ?? text
  }

  var message: RichMessage {
    var message = RichMessage(time: Timestamp(millisecondsSince1970: 0), text: "")
    (message.kind, message.text) = content
    if message.kind == .system { message.word = "event" }
    addFile(to: &message)
    message.details.isEdited = line.bytes.position(of: "mx_EventTile_edited") != nil
    if let anchor = line.opening("mx_reply_anchor"), let id = HTMLText.attribute("href=\"#", of: anchor) {
      message.details.replyTo = .external(HTMLText.plain(String(id.prefix { $0 != "\"" })))
    }
    addReactions(to: &message)
    return message
  }

  private var content: (Message.Kind, String) {
    if line.bytes.position(of: "mx_RedactedBody") != nil { return (.system, "message deleted") }
    if line.bytes.position(of: "mx_DecryptionFailureBody") != nil {
      return (.unknown, "message that could not be decrypted")
    }
    if let poll { return poll }
    if let body = line.content(of: "mx_EventTile_body") { return (kind, Self.text(of: body)) }
    if path != nil { return (.text, "") }
    let parts =
      ["mx_TextualEvent", "mx_EventTileBubble_title", "mx_EventTileBubble_subtitle"] as [StaticString]
    let texts = parts.compactMap { line.content(of: $0)?.text }.filter { !$0.isEmpty }
    if !texts.isEmpty { return (.system, texts.joined(separator: "\n")) }
    let words = [line.content(of: "mx_EventTile_content")?.text ?? "", Self.text(behindTimeIn: line)]
    let isPlace = line.bytes.position(of: "mx_MLocationBody") != nil
    return (isPlace ? .text : .system, words.first { !$0.isEmpty } ?? "")
  }

  private static func text(behindTimeIn line: HTMLPart) -> String {
    guard let time = line.bytes.position(of: "mx_MessageTimestamp"),
      let end = line.bytes.position(of: "</a>", from: time)
    else { return "" }
    return HTMLPart(line.bytes.dropping(end)).text
  }

  private static let mostOptions = 100

  private var poll: (Message.Kind, String)? {
    guard let start = line.bytes.position(of: "class=\"mx_MPollBody") else { return nil }
    var rest = HTMLPart(line.bytes.dropping(start))
    var lines = [Self.question(of: rest)]
    while lines.count <= Self.mostOptions, let option = Self.option(in: rest) {
      rest = HTMLPart(rest.bytes.dropping(option.end))
      let votes = Self.votes(in: rest)
      lines.append("- " + option.text + (votes.isEmpty ? "" : " (\(votes))"))
    }
    guard line.bytes.position(of: "class=\"mx_MPollEndBody") != nil else {
      return (.text, lines.joined(separator: "\n"))
    }
    return (.system, (["ended the poll"] + lines).joined(separator: "\n"))
  }

  private static func question(of poll: HTMLPart) -> String {
    guard let start = poll.bytes.position(of: "<h2"), let end = poll.bytes.position(of: "</h2>", from: start)
    else { return "poll" }
    return HTMLPart(Bytes(rebasing: poll.bytes[start..<end])).text
  }

  private static func option(in poll: HTMLPart) -> HTMLPart? {
    poll.content(of: "mx_PollOption_optionText") ?? poll.content(of: "mx_MPollBody_optionText")
  }

  /// Of the option before `rest`: "2 votes", in the exporter's language.
  private static func votes(in rest: HTMLPart) -> String {
    let next = option(in: rest)
    let counts = ["mx_PollOption_optionVoteCount", "mx_MPollBody_optionVoteCount"] as [StaticString]
    guard let count = counts.lazy.compactMap({ rest.content(of: $0) }).first, count.end < next?.end ?? .max
    else { return "" }
    return count.text
  }

  private var kind: Message.Kind {
    if line.bytes.position(of: "mx_MEmoteBody") != nil { return .action }
    return line.bytes.position(of: "mx_MNoticeBody") != nil ? .notice : .text
  }

  /// Without the initials that stand for pictures of mentioned people.
  private static func text(of body: HTMLPart) -> String {
    var html = ""
    var rest = body
    while let start = rest.bytes.position(of: "<span") {
      let element = HTMLPart(rest.bytes.dropping(start))
      let tag = element.bytes.first(min(element.bytes.count, longestTag)).prefix { $0 != UInt8(ascii: ">") }
      let isPicture = Bytes(rebasing: tag).position(of: "mx_BaseAvatar") != nil
      html += rest.bytes.first(isPicture ? start : start + tag.count).string
      rest = HTMLPart(
        element.bytes.dropping(isPicture ? element.content(of: "mx_BaseAvatar")?.end ?? tag.count : tag.count)
      )
    }
    return HTMLText.plain(html + rest.html, showsEmoji: true)
  }

  private static let longestTag = 1_024

  private static let folders: [StaticString] = [
    "\"images/", "\"videos/", "\"audio/", "\"files/", "\"stickers/",
  ]

  private var path: String? {
    for folder in Self.folders {
      guard let start = line.bytes.position(of: folder), start > 1, line.bytes[start - 1] == UInt8(ascii: "=")
      else {
        continue
      }
      return HTMLText.attribute("=", of: line.bytes.dropping(start - 2)).map { HTMLText.plain($0) }
    }
    return nil
  }

  private func addFile(to message: inout RichMessage) {
    guard let path else { return }
    let shown = line.content(of: "mx_MFileBody_info_filename")?.text
    let name = shown ?? path.split(separator: "/").last.map(String.init) ?? path
    message.details.attachments = [Message.Attachment(name: name, path: path)]
    if message.text == name { message.text = "" }
  }

  private func addReactions(to message: inout RichMessage) {
    guard let row = line.bytes.position(of: "mx_ReactionsRow") else { return }
    var rest = HTMLPart(line.bytes.dropping(row))
    while message.details.reactions.count < Self.mostReactions,
      let emoji = rest.content(of: "mx_ReactionsRowButton_content")
    {
      if !emoji.text.isEmpty {
        message.details.reactions.append(Message.Reaction(emoji: emoji.text, senders: []))
      }
      rest = HTMLPart(rest.bytes.dropping(emoji.end))
    }
  }
}
