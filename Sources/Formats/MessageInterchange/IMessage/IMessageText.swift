internal import Foundation

/// The text in a message's body; newer systems write it nowhere else.
///
/// The body is an NSAttributedString in NeXT's typedstream or, in old messages, a keyed archive. Only its
/// string is read: in a typedstream the class name, the type `+`, the length and the UTF-8; in an archive the
/// first string.
enum IMessageText {
  static func text(of body: Bytes) -> String? {
    body.has("bplist00") ? archivedText(body) : streamedText(body)
  }

  private static func archivedText(_ body: Bytes) -> String? {
    guard body.count <= PropertyList.bound, let archive = PropertyList.read(body) as? [String: Any],
      let objects = archive["$objects"] as? [Any]
    else { return nil }
    for object in objects.dropFirst() {
      if let text = object as? String { return text }
      if let object = object as? [String: Any], let text = object["NS.string"] as? String { return text }
    }
    return nil
  }

  private static func streamedText(_ body: Bytes) -> String? {
    guard body.position(of: 0x0B) != nil, contains(body.first(min(body.count, 64)), "streamtyped"),
      var position = end(of: "NSString", in: body)
    else { return nil }
    let last = min(position + 12, body.count)
    guard let plus = body[position..<last].firstIndex(of: UInt8(ascii: "+")) else { return nil }
    position = plus + 1
    guard let count = length(in: body, at: &position), position + count <= body.count else { return nil }
    return Bytes(rebasing: body[position..<position + count]).string
  }

  /// A byte, or 0x81 and two bytes, or 0x82 and four, little-endian.
  private static func length(in body: Bytes, at position: inout Int) -> Int? {
    guard position < body.count else { return nil }
    let first = body[position]
    position += 1
    guard first >= 0x80 else { return Int(first) }
    let width = first == 0x81 ? 2 : first == 0x82 ? 4 : 0
    guard width > 0, position + width <= body.count else { return nil }
    var value = 0
    for offset in (0..<width).reversed() { value = value << 8 | Int(body[position + offset]) }
    position += width
    return value
  }

  private static func contains(_ bytes: Bytes, _ word: StaticString) -> Bool {
    end(of: word, in: bytes) != nil
  }

  private static func end(of word: StaticString, in bytes: Bytes) -> Int? {
    var position = 0
    while let found = bytes.position(of: word.utf8Start.pointee, from: position) {
      if bytes.has(word, at: found) { return found + word.utf8CodeUnitCount }
      position = found + 1
    }
    return nil
  }
}
