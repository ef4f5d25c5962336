/// How the lists of the names that there are can be had, in the words of whoever asks: ways out of errors about names.
package struct NameLists: Hashable, Sendable {
  package var senders: String
  package var conversations: String
  package var filters: String

  /// Creates lists.
  package init(senders: String, conversations: String, filters: String) {
    self.senders = senders
    self.conversations = conversations
    self.filters = filters
  }

  /// As questions of docs/json.md.
  package static let ofQuestions = NameLists(
    senders: "the question 'senders', which lists them",
    conversations: "the question 'conversations', which lists them",
    filters: "the question 'filters', which lists them")
}
