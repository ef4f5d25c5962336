internal import Foundation
package import MessageModel

package struct MessageDetails: Codable {
  var reactions: [Reaction]?
  var attachments: [File]?
  /// The time of writing in milliseconds, if it differs from that of the message's place.
  var written: Int64?
  var forward: Origin?
  var deletion: Deletion?
  /// The platform's id of a message that it replies to and that the store did not have.
  var awaitedReply: String?

  struct Deletion: Codable {
    var time: Int64
    var sender: String?
    var senderID: String?
  }

  struct Origin: Codable {
    var author: String?
    var authorID: String?
    var chat: String?
    var time: Int64?
    var often: Bool?
    var quoted: Bool?
  }

  struct Reaction: Codable {
    var emoji: String
    var senders: [String]
  }

  struct File: Codable {
    var name: String
    var type: String?
    var bytes: Int?
    var sha256: String?
    var path: String?
    var width: Int?
    var height: Int?
    var milliseconds: Int?
  }

  /// `nil` if the message has no details.
  package init?(_ message: Message) {
    guard
      !message.reactions.isEmpty || !message.attachments.isEmpty || message.writtenAt != nil
        || message.forward != nil || message.deletion != nil || message.awaitedReply != nil
    else { return nil }
    written = message.writtenAt?.millisecondsSince1970
    awaitedReply = message.awaitedReply
    forward = message.forward.map {
      Origin(
        author: $0.author, authorID: $0.authorID, chat: $0.chat, time: $0.time?.millisecondsSince1970,
        often: $0.isFrequent ? true : nil, quoted: $0.isQuoted ? true : nil)
    }
    deletion = message.deletion.map {
      Deletion(time: $0.time.millisecondsSince1970, sender: $0.sender, senderID: $0.senderID)
    }
    reactions =
      message.reactions.isEmpty
      ? nil : message.reactions.map { Reaction(emoji: $0.emoji, senders: $0.senders) }
    attachments =
      message.attachments.isEmpty
      ? nil
      : message.attachments.map { file in
        File(
          name: file.name, type: file.mediaType, bytes: file.byteCount, sha256: file.sha256, path: file.path,
          width: file.pixelSize?.width, height: file.pixelSize?.height,
          milliseconds: file.durationMilliseconds)
      }
  }

  init?(json: [UInt8]) {
    guard let read = try? JSONDecoder().decode(MessageDetails.self, from: Data(json)) else { return nil }
    self = read
  }

  package var json: String { SteadyJSON.of(self) }

  func give(to message: inout Message) {
    message.awaitedReply = awaitedReply
    message.writtenAt = written.map(Timestamp.init(millisecondsSince1970:))
    message.forward = forward.map {
      Message.Forward(
        author: $0.author, authorID: $0.authorID, chat: $0.chat,
        time: $0.time.map(Timestamp.init(millisecondsSince1970:)), isFrequent: $0.often ?? false,
        isQuoted: $0.quoted ?? false)
    }
    message.deletion = deletion.map { stored in
      var deletion = Message.Deletion(at: Timestamp(millisecondsSince1970: stored.time))
      (deletion.sender, deletion.senderID) = (stored.sender, stored.senderID)
      return deletion
    }
    message.reactions = (reactions ?? []).map { Message.Reaction(emoji: $0.emoji, senders: $0.senders) }
    message.attachments = (attachments ?? []).map { file in
      Message.Attachment(
        name: file.name, mediaType: file.type, byteCount: file.bytes, sha256: file.sha256, path: file.path,
        pixelSize: file.width.flatMap { width in file.height.map { PixelSize(width: width, height: $0) } },
        duration: file.milliseconds.map { .milliseconds($0) })
    }
  }
}

/// Former texts and the imported source, as JSON in the column `origin`.
package struct MessageOrigin: Codable {
  var edits: [Edit]?
  var editedAt: Int64?
  var platform: String?
  var id: String?
  var original: String?
  var senderID: String?

  struct Edit: Codable {
    var time: Int64
    var text: String
  }

  /// `nil` if the record has neither.
  package init?(_ record: MessageRecord) {
    guard !record.edits.isEmpty || record.editedAt != nil || record.source != nil else { return nil }
    edits =
      record.edits.isEmpty
      ? nil : record.edits.map { Edit(time: $0.time.millisecondsSince1970, text: $0.text) }
    editedAt = record.editedAt?.millisecondsSince1970
    platform = record.source?.platform
    id = record.source?.id
    original = record.source?.original
  }

  init?(json: [UInt8]) {
    guard let read = try? JSONDecoder().decode(MessageOrigin.self, from: Data(json)) else { return nil }
    self = read
  }

  package var json: String { SteadyJSON.of(self) }

  func give(to record: inout MessageRecord) {
    record.edits = (edits ?? []).map {
      Message.Edit(time: Timestamp(millisecondsSince1970: $0.time), text: $0.text)
    }
    record.editedAt = editedAt.map { Timestamp(millisecondsSince1970: $0) }
    record.source = platform.map { Message.Source(platform: $0, id: id, original: original) }
  }
}

/// JSON with sorted keys: equal values have equal texts.
package enum SteadyJSON {
  package static func of(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
