// Questions name the properties by which groups and sections are made.
@_exported public import HistoryModel
