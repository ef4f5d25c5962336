internal import MessageModel

extension ImportDetails {
  /// About how many bytes of memory the details take, including a slot in a half-empty hash table.
  var byteCount: Int {
    var count = 2 * MemoryLayout<Self>.stride + (senderID?.utf8.count ?? 0)
    count += payload?.count ?? 0
    for content in contents.values { count += content.count }
    count += (source?.id?.utf8.count ?? 0) + (source?.original?.utf8.count ?? 0)
    for edit in edits { count += MemoryLayout<Message.Edit>.stride + edit.text.utf8.count }
    for reaction in reactions {
      count += MemoryLayout<Message.Reaction>.stride + reaction.senders.count * MemoryLayout<String>.stride
      for sender in reaction.senders { count += sender.utf8.count }
    }
    for attachment in attachments {
      count += MemoryLayout<Message.Attachment>.stride
      count += attachment.name.utf8.count + (attachment.path?.utf8.count ?? 0)
    }
    return count
  }
}
