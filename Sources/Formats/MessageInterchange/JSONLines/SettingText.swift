package import MessageModel

/// Records of JSON Lines that are not messages: a store's other contents in an export of everything.
///
/// Each is an object whose only key is its kind: `{"filter":{"name":"links","filter":"has:link"}}`.
package enum SettingText {
  enum Line {
    /// The first line of a file with a whole store.
    case store
    case setting(StoreSetting)
  }

  private static let storeKey = "store"

  // MARK: Writing

  /// Writes the first line of an export of a whole store.
  package static func writeHeader(messageCount: Int, importCount: Int, to bytes: inout [UInt8]) {
    var fields = JSONObjectText()
    fields.add("messages", number: Int64(messageCount))
    fields.add("imports", number: Int64(importCount))
    write(fields, of: storeKey, to: &bytes)
  }

  /// Writes a setting as a line.
  package static func write(_ setting: StoreSetting, to bytes: inout [UInt8]) {
    write(fields(of: setting), of: setting.kind.rawValue, to: &bytes)
  }

  private static func write(_ fields: JSONObjectText, of kind: String, to bytes: inout [UInt8]) {
    var line = JSONObjectText()
    line.add(kind, fields)
    bytes.append(contentsOf: line.object)
    bytes.append("\n")
  }

  private static func fields(of setting: StoreSetting) -> JSONObjectText {
    var fields = JSONObjectText()
    switch setting {
    case .import(let one): write(one, to: &fields)
    case .conversation(let facts): write(facts, to: &fields)
    case .alias(let name, let other):
      fields.add("name", name)
      fields.add("aliasOf", other)
    case .person(let person):
      fields.add("name", person.name)
      fields.add("accounts", list: person.accounts.map { object(of: $0).object })
    case .filter(let name, let words):
      fields.add("name", name)
      fields.add("filter", words)
    case .mark(let mark):
      fields.add("name", mark.name)
      write(mark.place, "conversation", to: &fields)
      fields.add("id", id: mark.message)
      fields.add("view", mark.view)
    case .gap(let gap):
      write(gap.place, "conversation", to: &fields)
      fields.add("after", id: gap.after)
      fields.add("before", id: gap.before)
      fields.add("token", gap.token)
      fields.add("messages", number: gap.size.map { Int64($0) })
    case .followed(let source): write(source, to: &fields)
    }
    return fields
  }

  private static func write(_ one: StoreSetting.Import, to fields: inout JSONObjectText) {
    fields.add("import", number: one.number)
    fields.add("time", time: one.time)
    fields.add("format", one.format)
    fields.add("timeZone", one.zone)
    fields.add("name", one.name)
    fields.add("finished", written: "\(one.isFinished)")
    fields.add("files", number: one.fileCount)
    fields.add("options", one.options.isEmpty ? nil : one.options)
  }

  private static func write(_ facts: StoreSetting.Conversation, to fields: inout JSONObjectText) {
    write(facts.place, "name", to: &fields)
    fields.add("readUpTo", id: facts.readUpTo)
    fields.add(
      "readThreads",
      list: facts.readThreads.sorted { $0.key < $1.key }.map { thread, mark in
        var fields = JSONObjectText()
        fields.add("thread", id: thread)
        fields.add("readUpTo", id: mark)
        return fields.object
      })
    fields.add("direct", written: facts.isDirect.map { "\($0)" })
    fields.add("formerNames", list: facts.formerNames.map(text))
    fields.add("otherSources", list: facts.otherIdentities.map { object(of: $0).object })
    fields.add("payload", facts.payload.map(Base64.text(of:)))
  }

  private static func write(_ source: StoreSetting.Source, to fields: inout JSONObjectText) {
    fields.add("path", source.path)
    var settings = JSONObjectText()
    for (name, value) in source.settings.sorted(by: { $0.key < $1.key }) { settings.add(name, value) }
    fields.add("settings", source.settings.isEmpty ? nil : settings)
    fields.add("formats", list: source.formats.map(text))
    fields.add("added", time: source.addedAt)
    fields.add("import", number: source.importNumber)
  }

  private static func write(_ place: StoreSetting.Place, _ key: String, to fields: inout JSONObjectText) {
    fields.add(key, place.name)
    fields.add("conversationSource", place.identity.map(object))
  }

  private static func object(of identity: ConversationIdentity) -> JSONObjectText {
    var fields = JSONObjectText()
    fields.add("platform", identity.platform)
    fields.add("id", identity.key)
    return fields
  }

  private static func object(of account: StoreSetting.Account) -> JSONObjectText {
    var fields = JSONObjectText()
    fields.add("name", account.senderID == nil ? account.name : nil)
    fields.add("senderID", account.senderID)
    return fields
  }

  private static func text(_ string: String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONText.write(string, to: &bytes)
    return bytes
  }

  // MARK: Reading

  static func isWritten(in line: Bytes) -> Bool {
    do throws(JSONError) { return try read(line) != nil } catch { return false }
  }

  static func read(_ line: Bytes) throws(JSONError) -> Line? {
    guard let record = JSONFields(line), record.keys.count == 1, let key = record.keys.first,
      let value = record[key], value.first == UInt8(ascii: "{")
    else { return nil }
    if key == storeKey { return .store }
    guard let kind = StoreSetting.Kind(rawValue: key) else {
      throw JSONError(
        reason: "it is a record of an unknown kind, '\(VisibleText.of(String(key.prefix(40))))'")
    }
    return .setting(try setting(of: kind, try JSONFields.reading(value)))
  }

  static func origin(_ bytes: Bytes?, file: Int) throws(JSONError) -> ImportDetails.Origin {
    guard let bytes else { return .writtenByHand }
    guard let number = JSONLinesRecord.decimal(bytes) else {
      throw .wrongType("import", wanted: "the number of an import")
    }
    return .listed(file: file, number: number)
  }

  private static func setting(
    of kind: StoreSetting.Kind, _ fields: JSONFields
  ) throws(JSONError) -> StoreSetting {
    switch kind {
    case .import: .import(try listedImport(fields))
    case .conversation: .conversation(try facts(fields))
    case .alias: .alias(try needed("name", fields), of: try needed("aliasOf", fields))
    case .person:
      .person(
        StoreSetting.Person(
          name: try needed("name", fields),
          accounts: try fields.map("accounts") { account throws(JSONError) in
            let senderID = try account.string("senderID")
            let name = try senderID == nil ? needed("name", account) : ""
            return StoreSetting.Account(name: name, senderID: senderID)
          }))
    case .filter: .filter(name: try needed("name", fields), words: try needed("filter", fields))
    case .mark:
      .mark(
        StoreSetting.Mark(
          name: try needed("name", fields), place: try place("conversation", fields),
          message: try neededID("id", fields), view: try fields.string("view")))
    case .gap:
      .gap(
        StoreSetting.Gap(
          try place("conversation", fields), after: try id("after", fields), before: try id("before", fields),
          token: try fields.string("token"), size: try number("messages", fields).map { Int($0) }))
    case .followed: .followed(try source(fields))
    }
  }

  private static func listedImport(_ fields: JSONFields) throws(JSONError) -> StoreSetting.Import {
    guard let number = try number("import", fields) else { throw JSONError(reason: "it has no \"import\"") }
    var one = StoreSetting.Import(
      number: number, time: try time("time", fields), name: try needed("name", fields))
    one.format = try fields.string("format") ?? ""
    one.zone = try fields.string("timeZone") ?? ""
    one.options = try fields.string("options") ?? ""
    one.isFinished = try flag("finished", fields) ?? true
    one.fileCount = try self.number("files", fields)
    return one
  }

  private static func facts(_ fields: JSONFields) throws(JSONError) -> StoreSetting.Conversation {
    var facts = StoreSetting.Conversation(try place("name", fields))
    facts.readUpTo = try id("readUpTo", fields)
    let threads = try fields.map("readThreads") { thread throws(JSONError) in
      (try neededID("thread", thread), try neededID("readUpTo", thread))
    }
    facts.readThreads = Dictionary(threads, uniquingKeysWith: max)
    facts.isDirect = try flag("direct", fields)
    facts.formerNames = try fields.strings("formerNames")
    try fields.forEach("otherSources") { element throws(JSONError) in
      if let identity = try identity(element) { facts.otherIdentities.append(identity) }
    }
    if let text = try fields.string("payload") {
      guard let bytes = Base64.bytes(of: text) else { throw .wrongType("payload", wanted: "bytes in Base64") }
      facts.payload = bytes
    }
    return facts
  }

  private static func source(_ fields: JSONFields) throws(JSONError) -> StoreSetting.Source {
    var settings: [String: String] = [:]
    if let options = fields.object("settings") {
      for key in options.keys { settings[key] = try options[key]?.jsonString() }
    }
    return StoreSetting.Source(
      path: try needed("path", fields), settings: settings, formats: try fields.strings("formats"),
      addedAt: try time("added", fields), importNumber: try number("import", fields))
  }

  private static func place(
    _ key: StaticString, _ fields: JSONFields
  ) throws(JSONError) -> StoreSetting.Place {
    let source = fields["conversationSource"]
    return StoreSetting.Place(
      name: try needed(key, fields),
      identity: try source.flatMap { bytes throws(JSONError) in try identity(bytes) })
  }

  private static func identity(_ bytes: Bytes) throws(JSONError) -> ConversationIdentity? {
    let source = try JSONLinesRecord.source(bytes)
    return source.id.flatMap { ConversationIdentity(platform: source.platform, key: $0) }
  }

  // MARK: Values

  private static func needed(_ key: StaticString, _ fields: JSONFields) throws(JSONError) -> String {
    guard let text = try fields.string(key), !text.isEmpty else {
      throw JSONError(reason: "it has no \"\(key)\"")
    }
    return text
  }

  private static func id(_ key: StaticString, _ fields: JSONFields) throws(JSONError) -> Message.ID? {
    guard var text = try fields.string(key) else { return nil }
    guard let number = text.withUTF8({ JSONLinesRecord.decimal(Bytes($0)) }) else {
      throw .wrongType(key, wanted: "a message's id")
    }
    return Message.ID(rawValue: number)
  }

  private static func neededID(_ key: StaticString, _ fields: JSONFields) throws(JSONError) -> Message.ID {
    guard let id = try id(key, fields) else { throw JSONError(reason: "it has no \"\(key)\"") }
    return id
  }

  private static func number(_ key: StaticString, _ fields: JSONFields) throws(JSONError) -> Int64? {
    guard let value = fields["\(key)"] else { return nil }
    guard let number = JSONLinesRecord.decimal(value), number >= 0 else {
      throw .wrongType(key, wanted: "a number of 0 or more")
    }
    return number
  }

  private static func flag(_ key: StaticString, _ fields: JSONFields) throws(JSONError) -> Bool? {
    guard let value = fields["\(key)"] else { return nil }
    if value.has("true") { return true }
    if value.has("false") { return false }
    throw .wrongType(key, wanted: "true or false")
  }

  private static func time(_ key: StaticString, _ fields: JSONFields) throws(JSONError) -> Timestamp {
    guard let text = try fields.string(key), let time = JSONLinesRecord.moment(text) else {
      throw .wrongType(key, wanted: "a time")
    }
    return time
  }
}
