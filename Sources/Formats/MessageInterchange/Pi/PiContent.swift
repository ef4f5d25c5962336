internal import MessageModel

enum PiContent {
  static func text(of message: JSONFields) throws(JSONError) -> String? {
    try parts(of: message, .text) { _, _ in }.first { $0.kind == .text && !$0.text.isEmpty }?.text
  }

  /// - Parameters:
  ///   - kind: The kind of texts.
  ///   - note: Called with each tool call's id and name.
  static func parts(
    of message: JSONFields, _ kind: Message.Kind, _ note: (String?, String) -> Void
  ) throws(JSONError) -> [AssistantPart] {
    guard let content = message["content"] else { return [] }
    guard content.first == UInt8(ascii: "[") else {
      return [AssistantPart(kind: kind, text: try AssistantText.plain(content))]
    }
    var parts: [AssistantPart] = []
    try message.forEach("content") { value throws(JSONError) in
      guard let block = JSONFields(value) else {
        parts.append(AssistantPart(kind: kind, text: try AssistantText.plain(value)))
        return
      }
      switch try block.plainText("type") ?? "" {
      case "text": parts.append(AssistantPart(kind: kind, text: try block.plainText("text") ?? ""))
      case "thinking":
        parts.append(AssistantPart(kind: .thinking, text: try block.plainText("thinking") ?? ""))
      case "toolCall":
        let name = try block.plainText("name") ?? "tool"
        note(try block.plainText("id"), name)
        parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, block["arguments"])))
      case "image":
        if parts.last?.kind != kind { parts.append(AssistantPart(kind: kind)) }
        try parts[parts.count - 1].attachPicture(block)
      default:
        parts.append(AssistantPart(kind: .unknown, text: try block.plainText("text") ?? value.string))
      }
    }
    return parts.filter { !$0.isEmpty }
  }
}

extension AssistantPart {
  fileprivate mutating func attachPicture(_ block: JSONFields) throws(JSONError) {
    let type = try block.plainText("mimeType")
    let ending = type?.split(separator: "/").last.map { "." + $0.prefix(8) } ?? ""
    let name = "image-\(attachments.count + 1)\(ending)"
    guard let data = block["data"], data.first == UInt8(ascii: "\"") else {
      attachments.append(Message.Attachment(name: name, mediaType: type))
      return
    }
    attach(name, type: type, TransferEncoding.base64(data))
  }
}
