struct JSONError: Error {
  var reason: String

  static let cut = JSONError(reason: "it ends in the middle of a value")
  static let notAnObject = JSONError(reason: "it is not a JSON object")
  static let badEscape = JSONError(reason: "a string has an illegal escape")
  static let tooDeep = JSONError(reason: "values lie in it more than \(JSONScanner.deepestNesting) deep")
  static let syntax = JSONError(reason: "it is not JSON")

  static func wrongType(_ key: StaticString, wanted: StaticString) -> JSONError {
    JSONError(reason: "\"\(key)\" is not \(wanted)")
  }
}
