internal import MessageModel

/// Writes a JSON object; keys keep the order in which they are added, and missing values are left out.
struct JSONObjectText {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  var object: [UInt8] { bytes + [UInt8(ascii: "}")] }

  mutating func add(_ key: String, _ string: String?) {
    guard let string else { return }
    begin(key)
    JSONText.write(string, to: &bytes)
  }

  mutating func add(_ key: String, number: Int64?) { add(key, written: number.map { "\($0)" }) }

  mutating func add(_ key: String, id: Message.ID?) { add(key, id.map { "\($0.rawValue)" }) }

  mutating func add(_ key: String, time: Timestamp) {
    begin(key)
    bytes.append("\"")
    ISO8601.write(time, to: &bytes)
    bytes.append("\"")
  }

  mutating func add(_ key: String, _ object: JSONObjectText?) {
    guard let object else { return }
    begin(key)
    bytes.append(contentsOf: object.object)
  }

  mutating func add(_ key: String, list: [[UInt8]]) {
    guard !list.isEmpty else { return }
    begin(key)
    bytes.append("[")
    bytes.append(contentsOf: list.joined(separator: [UInt8(ascii: ",")]))
    bytes.append("]")
  }

  mutating func add(_ key: String, written value: String?) {
    guard let value else { return }
    begin(key)
    bytes.append(contentsOf: value.utf8)
  }

  private mutating func begin(_ key: String) {
    if bytes.count > 1 { bytes.append(",") }
    JSONText.write(key, to: &bytes)
    bytes.append(":")
  }
}
