internal import HistoryQueries
internal import MessageModel

/// Decodes a question from the parameters of an address: each key is a parameter, those of its filter begin
/// with `filter.`.
///
/// A decoder learns a question's parameters only as the question asks for them. So a missing parameter is
/// reported at the end, by ``checkAll()``, and a placeholder is decoded meanwhile.
final class ParameterDecoder {
  private var given: QuestionParameters
  private var missing: StoreError?

  init(_ parameters: QuestionParameters) { given = parameters }

  /// Refuses unknown parameters, then missing ones.
  func checkAll() throws(StoreError) {
    try given.checkAllKnown()
    if let missing { throw missing }
  }

  fileprivate func value<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value? {
    if type is HistoryFilter.Type {
      let filter = try HistoryFilter(from: Part(decoder: self, prefix: "\(key)."))
      return filter == HistoryFilter() ? nil : filter as? Value
    }
    return try given.value(type, key)
  }

  fileprivate func neededValue<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value {
    if let value = try value(type, key) { return value }
    let place: Any
    switch type {
    case is [Message.ID].Type:
      missing = QuestionParameters.error("no '\(key)' are there")
      place = [Message.ID]()
    case is String.Type:
      missing = QuestionParameters.error("no '\(key)' are there")
      place = ""
    default:
      missing = QuestionParameters.error("no '\(key)' is there", remedy: "\(key) or \(key)ID")
      place = ConversationReference.named("")
    }
    guard let place = place as? Value else { throw missing ?? Self.noParameter }
    return place
  }

  fileprivate static let noParameter = QuestionParameters.error("a part of it is not a parameter")
}

extension ParameterDecoder {
  /// The parameters with a common prefix.
  fileprivate struct Part: Decoder {
    let decoder: ParameterDecoder
    let prefix: String

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(Keys(part: self))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noParameter }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw noParameter }
  }

  private struct Keys<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let part: Part

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }
    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try part.decoder.neededValue(type, part.prefix + key.stringValue)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
      try value(type, key)
    }
    // Without these three, the protocol's default would first ask whether the key is present.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try value(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try value(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try value(type, key) }

    private func value<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
      try part.decoder.value(type, part.prefix + key.stringValue)
    }

    func nestedContainer<Inner>(
      keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
      throw noParameter
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw noParameter }
    func superDecoder() throws -> any Decoder { throw noParameter }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw noParameter }
  }
}

extension ServedQuestion {
  /// Reads a question whose keys are the parameters of an address (docs/json.md).
  init(_ parameters: QuestionParameters) throws(StoreError) {
    let decoder = ParameterDecoder(parameters)
    do {
      try self.init(from: ParameterDecoder.Part(decoder: decoder, prefix: ""))
    } catch let error as StoreError {
      throw error
    } catch {
      throw ParameterDecoder.noParameter
    }
    try decoder.checkAll()
    try check()
  }
}
