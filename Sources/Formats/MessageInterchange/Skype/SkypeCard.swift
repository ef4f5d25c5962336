internal import MessageModel

/// Content of Skype that is more than a text: cards, polls, contacts, places.
extension SkypeContent {
  func readCard(_ content: String, into message: inout RichMessage) {
    let title = Self.elements("Title", in: content).first ?? Self.attribute("title=", of: content) ?? ""
    let about = Self.elements("Description", in: content).first ?? ""
    var lines = [title, about].filter { !$0.isEmpty }
    if let encoded = Self.attribute("b64=", of: content) {
      lines += TransferEncoding.base64(encoded.utf8).withUnsafeBytes { bytes -> [String] in
        guard UTF8Check.isValid(bytes), let card = JSONFields(bytes) else { return [] }
        return (try? CardText(card, isHTML: true))?.lines ?? []
      }
    }
    if lines.isEmpty { lines = [HTMLText.plain(content)].filter { !$0.isEmpty } }
    (message.text, message.word) = (lines.joined(separator: "\n"), "card")
  }

  /// In JSON, or in the attributes of an element.
  func readPoll(_ content: String, into message: inout RichMessage) {
    var content = content
    if let poll = content.withUTF8({ JSONFields(Bytes($0)).flatMap { try? Self.poll($0) } }) {
      message.text = poll
      return
    }
    let question = Self.attribute("question=", of: content) ?? Self.elements("Title", in: content).first
    let answers = Self.attribute("optionsEncoded=", of: content)?.split(separator: "|") ?? []
    let lines = [question ?? "poll"] + answers.prefix(Self.mostAnswers).map { "- \($0)" }
    (message.text, message.word) = (lines == ["poll"] ? "" : lines.joined(separator: "\n"), "poll")
  }

  private static let mostAnswers = 100

  private static func poll(_ poll: JSONFields) throws(JSONError) -> String? {
    var lines = [try poll.firstText(["title", "question", "text"]) ?? "poll"]
    for key in ["pollOptions", "options", "answers"] {
      try poll.forEach(key) { value throws(JSONError) in
        guard lines.count <= mostAnswers else { return }
        let answer = try JSONFields(value)?.firstText(["title", "text", "name"]) ?? (try? value.jsonString())
        lines.append("- \(answer ?? "")")
      }
    }
    return lines == ["poll"] ? nil : lines.joined(separator: "\n")
  }

  /// `<c t="s" s="live:cy" f="Cy"/>`; a telephone's contacts have a number under `p`.
  func readContacts(_ content: String, into message: inout RichMessage) {
    let names = content.components(of: "<c ", until: ">").map { contact -> String in
      let tag = "c " + contact
      let name = Self.attribute(" f=", of: tag) ?? ""
      let address = Self.attribute(" s=", of: tag) ?? Self.attribute(" p=", of: tag) ?? ""
      return name.isEmpty || address.isEmpty ? name + address : "\(name) (\(address))"
    }.filter { !$0.isEmpty }
    let known = names.isEmpty ? [Self.attribute("alt=", of: content) ?? ""].filter { !$0.isEmpty } : names
    message.word = "contact"
    if !known.isEmpty { message.text = "contact " + known.joined(separator: ", ") }
  }

  /// Coordinates are in millionths of a degree.
  func readPlace(_ content: String, into message: inout RichMessage) {
    let name = Self.attribute("address=", of: content) ?? HTMLText.plain(content)
    let coordinates = [Self.attribute("latitude=", of: content), Self.attribute("longitude=", of: content)]
      .compactMap { $0.flatMap(Int32.init) }.map { "\(Double($0) / 1_000_000)" }
    let lines = [name, coordinates.count == 2 ? coordinates.joined(separator: ",") : ""]
    (message.text, message.word) = (lines.filter { !$0.isEmpty }.joined(separator: "\n"), "location")
  }
}
