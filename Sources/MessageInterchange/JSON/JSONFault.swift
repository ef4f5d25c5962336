/// Why bytes are not the JSON that was wanted.
struct JSONFault: Error {
  /// Half a sentence.
  var reason: String

  static let cut = JSONFault(reason: "it ends in the middle of a value")
  static let notAnObject = JSONFault(reason: "it is not a JSON object")
  static let badEscape = JSONFault(reason: "a string has an illegal escape")
  static let tooDeep = JSONFault(reason: "values lie in it more than \(JSONScanner.deepestNesting) deep")
  static let syntax = JSONFault(reason: "it is not JSON")

  /// The fault of a key that has the wrong sort of value.
  static func wrongType(_ key: StaticString, wanted: StaticString) -> JSONFault {
    JSONFault(reason: "\"\(key)\" is not \(wanted)")
  }
}
