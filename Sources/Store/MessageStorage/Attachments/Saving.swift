internal import Foundation
public import MessageModel
internal import Synchronization

extension StoreReading {
  /// Writes a content into a folder, under a safe name, and returns the path of the file.
  ///
  /// No file is overwritten: the second of a name becomes `photo (2).jpg`. The file gets its name when it is
  /// complete and its checksum is right.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if the content is not in the store, `damaged` if it has
  ///   changed, `noSuchFile` if there is no such folder, `notPermitted`, `inputOutput`; no file is left then.
  public func save(_ attachment: Message.Attachment, to folder: String) throws(StoreError) -> String {
    let doing = "cannot save '\(attachment.name)'"
    let file = try store.copy(of: attachment, in: folder, doing: doing)
    let name = SafeFileName(attachment.name)
    for number in 1...10_000 {
      let path = "\(folder)/\(name.numbered(number))"
      // A name of the store's own files counts as taken.
      guard (try? store.files.spare(path, doing: doing)) != nil else { continue }
      // link(2) fails if the name exists; rename(2) would replace the file.
      if link(file.path, path) == 0 { return path }
      if errno == EEXIST { continue }
      guard [EPERM, ENOTSUP, EMLINK].contains(errno) else {
        throw StoreError(errno: errno, doing, "'\(path)'")
      }
      guard access(path, F_OK) != 0 else { continue }
      try file.rename(to: path, doing: doing)
      return path
    }
    throw StoreError(.alreadyExists, doing, cause: "there are too many files of this name in '\(folder)'")
  }
}

extension SynchronousMessageStore {
  /// Returns the unique name of a content in a shared folder: the beginning of its checksum, and its file
  /// name.
  package static func placeName(of attachment: Message.Attachment) -> String {
    "\(attachment.sha256?.prefix(16) ?? "")-\(SafeFileName(attachment.name).text)"
  }

  /// Writes a content into a folder under its ``placeName(of:)``, unless it is there, and returns that name.
  ///
  /// - Throws: As ``save(_:to:)``.
  package func place(_ attachment: Message.Attachment, in folder: String) throws(StoreError) -> String {
    let doing = "cannot write '\(attachment.name)'"
    let name = Self.placeName(of: attachment)
    let path = "\(folder)/\(name)"
    if let facts = ContentFileFacts(path: path), facts.byteCount == attachment.byteCount,
      ContentFile.key(of: path)?.description == attachment.sha256
    {
      return name
    }
    try store.copy(of: attachment, in: folder, doing: doing).rename(to: path, doing: doing)
    return name
  }

  fileprivate func copy(
    of attachment: Message.Attachment, in folder: String, doing: String
  ) throws(StoreError) -> TemporaryFile {
    guard let sha256 = attachment.sha256, attachment.isStored else {
      throw StoreError(
        .notFound, doing, cause: "its content is not in the store",
        remedy: .importWithFiles)
    }
    guard let facts = stat(following: folder) else { throw StoreError(errno: errno, doing, "'\(folder)'") }
    guard facts.kind == S_IFDIR else {
      throw StoreError(.invalidRequest, doing, cause: "'\(folder)' is not a folder")
    }
    try files.spare(folder, doing: doing)
    let isSwept = sweptFolders.withLock { !$0.insert(folder).inserted }
    if !isSwept { for path in TemporaryFile.abandoned(in: folder, isHidden: true) { unlink(path) } }
    let file = try TemporaryFile(in: folder, isHidden: true, doing: doing)
    var hash = ContentHash()
    try streamContent(sha256) { (bytes) throws(StoreError) in
      hash.add(bytes)
      try file.write(bytes, doing: doing)
      return true
    }
    try file.sync(doing: doing)
    guard hash.key().description == sha256 else {
      throw StoreError(.damaged, doing, cause: "its content has changed", remedy: .checkStore)
    }
    return file
  }
}

/// A file name made safe: it stays in its folder, is shown as it is, and is valid on all systems.
package struct SafeFileName: Hashable, Sendable {
  /// At most 200 bytes, which leaves space for a number or a checksum.
  package let text: String

  private static let limit = 200

  package init(_ name: String) {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    let plain = VisibleText.of(last, keepsTabs: false)
    var kept = ""
    for character in plain.unicodeScalars {
      kept.unicodeScalars.append(Self.isHarmless(character) ? character : "_")
    }
    // Names with a leading dot are hidden, those with a hyphen look like options; some systems drop dots and
    // spaces at the end.
    let trimmed = kept.drop { ".- ".contains($0) }
    let end = trimmed.lastIndex { !". ".contains($0) }
    let body = end.map { String(trimmed[...$0]) } ?? ""
    text = Self.shortened(
      body.isEmpty || Self.isReserved(body) ? "attachment\(body.isEmpty ? "" : "-\(body)")" : body)
  }

  private static func isHarmless(_ character: Unicode.Scalar) -> Bool {
    !(0x2400...0x2426).contains(character.value)
      && !"<>:\"|?*$`\u{7F}\u{FFFD}".unicodeScalars.contains(character)
  }

  private static func isReserved(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }.uppercased()
    return ["CON", "PRN", "AUX", "NUL"].contains(stem)
      || stem.utf8.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
        && stem.last?.isNumber == true
  }

  /// Cuts between characters, before the extension.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > limit else { return name }
    let (stem, ending) = parts(of: name)
    var cut = ""
    for character in stem {
      guard cut.utf8.count + character.utf8.count + ending.utf8.count <= limit else { break }
      cut.append(character)
    }
    return cut.isEmpty ? "attachment" : cut + ending
  }

  private static func parts(of name: String) -> (stem: Substring, ending: Substring) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 16 else {
      return (name[...], "")
    }
    return (name[..<dot], name[dot...])
  }

  func numbered(_ number: Int) -> String {
    let (stem, ending) = Self.parts(of: text)
    return number == 1 ? text : "\(stem) (\(number))\(ending)"
  }
}
