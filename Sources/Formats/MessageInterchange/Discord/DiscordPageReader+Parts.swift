internal import MessageModel

extension DiscordPageReader {
  func addAttachments(_ block: Bytes, to message: inout RichMessage) {
    var position = 0
    while let found = endOfClass("chatlog__attachment", in: block, from: position) {
      guard message.details.attachments.count < Self.mostParts else { return }
      position = found
      let end = endOfClass("chatlog__attachment", in: block, from: found) ?? block.count
      let next = Bytes(rebasing: block[found..<end])
      if let file = Self.file(Self.address(in: next)) { message.details.attachments.append(file) }
    }
  }

  private static func file(_ written: String?) -> Message.Attachment? {
    guard let address = written.map({ HTMLText.plain($0) }) else { return nil }
    let name = address.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? address
    return Message.Attachment(name: name, path: address)
  }

  private static func address(in part: Bytes) -> String? {
    let (link, picture) = (part.position(of: " href="), part.position(of: " src="))
    return link ?? .max < picture ?? .max
      ? HTMLText.attribute("href=", of: part) : HTMLText.attribute("src=", of: part)
  }

  func addReactions(_ block: Bytes, to message: inout RichMessage) {
    var position = 0
    while let found = endOfClass("chatlog__reaction", in: block, from: position) {
      guard message.details.reactions.count < Self.mostParts else { return }
      position = found
      guard let emoji = HTMLText.attribute("alt=", of: block.dropping(found)) else { continue }
      message.details.reactions.append(Message.Reaction(emoji: HTMLText.plain(emoji), senders: []))
    }
  }

  func addStickers(_ block: Bytes, to message: inout RichMessage) {
    var position = 0
    while let found = endOfClass("chatlog__sticker", in: block, from: position) {
      guard message.details.attachments.count < Self.mostParts else { return }
      position = found
      let part = block.dropping(found)
      let name = HTMLText.attribute("title=", of: tag(block, found)).map { HTMLText.plain($0) } ?? "sticker"
      message.details.attachments.append(
        Message.Attachment(name: name, path: HTMLText.attribute("src=", of: part).map { HTMLText.plain($0) }))
    }
  }

  func addCards(_ block: Bytes, to message: inout RichMessage) {
    var lines: [String] = []
    var position = 0
    while lines.count < Self.mostParts, let found = endOfClass("chatlog__embed", in: block, from: position) {
      position = found
      let end = endOfClass("chatlog__embed", in: block, from: found) ?? block.count
      lines += self.lines(ofCard: Bytes(rebasing: block[found..<end]), besides: message.text)
    }
    message.text = ([message.text] + lines).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// In the order of the same message in JSON.
  private func lines(ofCard card: Bytes, besides text: String) -> [String] {
    func words(_ name: StaticString, from start: Int = 0, showsLinks: Bool = true) -> String? {
      endOfClass(name, in: card, from: start)
        .map { HTMLText.plain(inside(card, behind: $0), showsEmoji: true, showsLinks: showsLinks) }
    }
    let author = words("chatlog__embed-author-name", showsLinks: false)
    var lines = [author ?? words("chatlog__embed-author", showsLinks: false) ?? ""]
    let link = endOfClass("chatlog__embed-title-link", in: card, from: 0)
      .flatMap { HTMLText.attribute("href=", of: tag(card, $0)) }.map { HTMLText.plain($0) }
    let title = words("chatlog__embed-title", showsLinks: false)
    for line in [title, words("chatlog__embed-description"), link] {
      if let line, !text.contains(line) { lines.append(line) }
    }
    var position = 0
    while lines.count < Self.mostParts,
      let name = endOfClass("chatlog__embed-field-name", in: card, from: position)
    {
      position = name
      let value = words("chatlog__embed-field-value", from: name)
      let title = HTMLText.plain(inside(card, behind: name), showsEmoji: true)
      lines.append([title, value ?? ""].filter { !$0.isEmpty }.joined(separator: ": "))
    }
    lines.append(words("chatlog__embed-footer-text") ?? words("chatlog__embed-footer") ?? "")
    return lines.filter { !$0.isEmpty }
  }

  /// Discord says when it was written, not by whom.
  func addForwarded(_ block: Bytes, to message: inout RichMessage) {
    guard let start = endOfClass("chatlog__forwarded", in: block, from: 0) else { return }
    let part = block.dropping(start)
    let words = endOfClass("chatlog__forwarded-content", in: part, from: 0)
      .map { HTMLText.plain(inside(part, behind: $0), showsEmoji: true) }
    var clock = times
    let written = endOfClass("chatlog__forwarded-timestamp", in: part, from: 0)
      .map { HTMLText.plain(inside(part, behind: $0)) }
    let time = written.flatMap { $0.firstRange(of: ": ").map { $0.upperBound } }
      .flatMap { place in written.flatMap { clock.read(String($0[place...]))?.0 } }
    message.addForwarded(words ?? "", from: Message.Forward(time: time))
    addForwardedFiles(part, to: &message)
  }

  private func addForwardedFiles(_ part: Bytes, to message: inout RichMessage) {
    var position = 0
    while let found = endOfClass("chatlog__forwarded-attachment", in: part, from: position) {
      guard message.details.attachments.count < Self.mostParts else { return }
      position = found
      if let file = Self.file(Self.address(in: tag(part, found))) { message.details.attachments.append(file) }
    }
  }

  /// The position after a class's name; a longer name with that prefix does not match.
  func endOfClass(_ name: StaticString, in block: Bytes, from start: Int) -> Int? {
    var position = start
    while let found = end(of: name, in: block, from: position) {
      let isWhole = found < block.count && [0x20, 0x22, 0x3E].contains(block[found])
      let before = found - name.utf8CodeUnitCount - 1
      if isWhole, before >= 0, block[before] == 0x22 || block[before] == UInt8(ascii: "=") { return found }
      position = found
    }
    return nil
  }

  func end(of word: StaticString, in block: Bytes, from start: Int = 0) -> Int? {
    block.position(of: word, from: start).map { $0 + word.utf8CodeUnitCount }
  }

  func text(in block: Bytes, behind position: Int) -> String? {
    guard let open = block.position(of: UInt8(ascii: ">"), from: position) else { return nil }
    let close = block.position(of: UInt8(ascii: "<"), from: open) ?? block.count
    return HTMLText.plain(Bytes(rebasing: block[(open + 1)..<close]).string)
  }

  func inside(_ block: Bytes, behind position: Int) -> String {
    guard let open = block.position(of: UInt8(ascii: ">"), from: position) else { return "" }
    var depth = 1
    var next = open + 1
    while depth > 0, let tag = block.position(of: UInt8(ascii: "<"), from: next) {
      if block.has("<span", at: tag) || block.has("<div", at: tag) { depth += 1 }
      if block.has("</span", at: tag) || block.has("</div", at: tag) { depth -= 1 }
      if depth == 0 { return Bytes(rebasing: block[(open + 1)..<tag]).string }
      next = tag + 1
    }
    return Bytes(rebasing: block[(open + 1)...]).string
  }
}
