//! The arguments of each rule by the names of its parameters, in the order of `specs/rules.yaml`.

use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::facts::Input;
use crate::node::AttributeValue;
use crate::rule::{Count, Graph, InputList, Integer, List, RuleArguments};

shape_macros::tables!(rule_parameters);
