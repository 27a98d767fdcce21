/** Rules for names that references and labels follow, each answering with complaints (none = fine). */
export {
  checkLabelValue as labelValueErrors,
  checkPathSegment as pathSegmentErrors,
  checkQualifiedName as qualifiedNameErrors,
} from '@capstan/meta';
