internal import Foundation
public import MessageModel

extension AnyHistoryQuestion {
  /// The longest question that is read, in bytes.
  public static let maxByteCount = 1 << 20

  /// Reads a question in JSON.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` that says where it is wrong.
  public init(json: String) throws(StoreError) {
    guard json.utf8.count <= Self.maxByteCount else {
      throw Self.error("it has more than \(Self.maxByteCount) bytes")
    }
    do {
      self = try JSONDecoder().decode(AnyHistoryQuestion.self, from: Data(json.utf8))
    } catch let error as DecodingError {
      throw Self.error(Self.cause(of: error))
    } catch {
      throw Self.error("it is not JSON")
    }
  }

  private static func error(_ cause: String) -> StoreError {
    StoreError(
      .invalidRequest, "cannot read the question", cause: cause,
      remedy: #"{"question":"conversations"}; docs/json.md lists all"#)
  }

  /// Returns what is wrong with a question, and where: below some keys that are not told.
  package static func cause(of error: DecodingError, below keys: [String] = []) -> String {
    if let sentence = error.sentence, case .dataCorrupted(let context) = error {
      return "\(place(context, keys))\(sentence)"
    }
    return switch error {
    case .keyNotFound(let key, let context): "\(place(context, keys))no '\(key.stringValue)' is there"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(place(context, keys))it is of another type"
    case .dataCorrupted(let context):
      // What Foundation has to say of it is of no use to anybody.
      context.codingPath.isEmpty ? "it is not JSON" : "\(place(context, keys))it is not understood"
    @unknown default: "it is not understood"
    }
  }

  private static func place(_ context: DecodingError.Context, _ above: [String]) -> String {
    var path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    if path.starts(with: above) { path.removeFirst(above.count) }
    return path.isEmpty ? "" : "'\(path.joined(separator: "."))': "
  }
}
